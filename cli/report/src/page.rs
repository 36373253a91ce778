// SPDX-License-Identifier: MIT OR Apache-2.0
//! The frame of a page: one file, no script, nothing fetched.

use maud::{html, Markup, PreEscaped, DOCTYPE};

/// Written out so that a page is well-formed XML as well as HTML.
const METAS: &str = concat!(
    r#"<meta charset="utf-8"/>"#,
    r#"<meta name="viewport" content="width=device-width, initial-scale=1"/>"#,
    r#"<meta name="color-scheme" content="light dark"/>"#
);

/// A page with its title, what came out, and sections.
pub fn page(title: &str, under: Markup, state: Markup, body: Markup) -> String {
    let page = html! {
        (DOCTYPE)
        (PreEscaped("<!-- SPDX-License-Identifier: MIT OR Apache-2.0 -->"))
        html lang="en" {
            head {
                (PreEscaped(METAS))
                title { (title) }
                style { (PreEscaped(include_str!("style.css"))) }
            }
            body {
                h1 { (title) }
                p.soft { (under) }
                (state)
                (body)
            }
        }
    };
    page.into_string()
}

/// How it ended, with the reasons when it did not end well.
pub fn state(good: bool, words: &str, reasons: &[String]) -> Markup {
    html! {
        div class=(if good { "state" } else { "state missed" }) role="status" {
            (words)
            @if !reasons.is_empty() {
                ul { @for reason in reasons { li { (reason) } } }
            }
        }
    }
}

/// A picture with the words that say how to read it.
pub fn figure(picture: Markup, words: Markup) -> Markup {
    html! { figure { (picture) figcaption { (words) } } }
}

/// A table; columns but the first are numbers.
pub fn table(head: &[&str], rows: &[Vec<String>]) -> Markup {
    let class = |n: usize| if n == 0 { "long" } else { "n" };
    html! {
        table {
            @if !head.is_empty() {
                thead { tr { @for (n, cell) in head.iter().enumerate() { th class=(class(n)) { (cell) } } } }
            }
            tbody {
                @for row in rows {
                    tr { @for (n, cell) in row.iter().enumerate() { td class=(class(n)) { (cell) } } }
                }
            }
        }
    }
}

/// A list of names and what they are, in words.
pub fn facts(rows: &[(&str, String)]) -> Markup {
    html! {
        table { tbody {
            @for (name, value) in rows {
                tr { th scope="row" { (name) } td.long { (value) } }
            }
        } }
    }
}
