// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scales of axes, their ticks, and numbers as people read them.

/// Maps values to positions.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    from: f64,
    to: f64,
    low: f64,
    high: f64,
    log: bool,
}

impl Scale {
    /// Even steps: `from` lies at `low`, `to` at `high`.
    pub fn linear((from, to): (f64, f64), (low, high): (f64, f64)) -> Scale {
        let to = if to > from { to } else { from + 1.0 };
        Scale {
            from,
            to,
            low,
            high,
            log: false,
        }
    }

    /// Even factors; `from` must be above zero.
    pub fn log((from, to): (f64, f64), ends: (f64, f64)) -> Scale {
        let scale = Scale::linear((from, to.max(from * 1.001)), ends);
        Scale { log: true, ..scale }
    }

    /// Where a value lies; values beyond the ends lie at the ends.
    pub fn at(&self, value: f64) -> f64 {
        let part = if self.log {
            (value.max(self.from) / self.from).ln() / (self.to / self.from).ln()
        } else {
            (value - self.from) / (self.to - self.from)
        };
        round(self.low + (self.high - self.low) * part.clamp(0.0, 1.0))
    }

    /// Round values between the ends, about `count` of them (logarithmic: powers of ten, with 2 and 5 where few).
    pub fn ticks(&self, count: usize) -> Vec<f64> {
        if self.log {
            return self.log_ticks(count);
        }
        let raw = (self.to - self.from) / count.max(1) as f64;
        let power = 10f64.powf(raw.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .iter()
            .map(|m| m * power)
            .find(|s| *s >= raw * 0.999)
            .unwrap_or(power);
        let first = (self.from / step - 1e-9).ceil() as i64;
        let last = (self.to / step + 1e-9).floor() as i64;
        (first..=last).map(|n| n as f64 * step).collect()
    }

    fn log_ticks(&self, count: usize) -> Vec<f64> {
        let decades = self.from.log10().floor() as i32..=self.to.log10().ceil() as i32;
        let of = |steps: &[f64]| -> Vec<f64> {
            decades
                .clone()
                .flat_map(|d| steps.iter().map(move |s| s * 10f64.powi(d)))
                .filter(|v| *v >= self.from * 0.999 && *v <= self.to * 1.001)
                .collect()
        };
        let tens = of(&[1.0]);
        if tens.len() > count {
            let nth = tens.len().div_ceil(count);
            return tens.into_iter().step_by(nth).collect();
        }
        let fine = of(&[1.0, 2.0, 5.0]);
        if fine.len() <= count {
            fine
        } else {
            tens
        }
    }
}

/// Positions need no more than a tenth of a pixel.
pub fn round(position: f64) -> f64 {
    (position * 10.0).round() / 10.0
}

/// A whole number with commas.
pub fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A tick's label: as short as can be.
pub fn short(value: f64) -> String {
    match value.abs() {
        v if v >= 1e9 => trimmed(value / 1e9, "G"),
        v if v >= 1e6 => trimmed(value / 1e6, "M"),
        v if v >= 1e4 => trimmed(value / 1e3, "k"),
        _ => trimmed(value, ""),
    }
}

fn trimmed(value: f64, unit: &str) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{text}{unit}")
}

/// A share in percent; no more digits than it has, and never 100 % for less.
pub fn percent(part: u64, of: u64) -> String {
    if of == 0 {
        return "none".into();
    }
    if part == of {
        return "100 %".into();
    }
    let share = 100.0 * part as f64 / of as f64;
    let text = format!("{share:.1} %");
    match text.as_str() {
        "100.0 %" => format!("{:.4} %", (share * 1e4).floor() / 1e4),
        "0.0 %" if part > 0 => format!("{share:.4} %"),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        let scale = Scale::linear((83.0, 101.0), (0.0, 100.0));
        assert_eq!(scale.ticks(5), [85.0, 90.0, 95.0, 100.0]);
        let log = Scale::log((1.0, 1e6), (0.0, 600.0));
        assert_eq!(log.ticks(4), [1.0, 100.0, 1e4, 1e6]);
        assert_eq!(
            Scale::log((3.0, 60.0), (0.0, 1.0)).ticks(6),
            [5.0, 10.0, 20.0, 50.0]
        );
        assert_eq!((log.at(1e3), log.at(0.0), log.at(1e9)), (300.0, 0.0, 600.0));
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!(thousands(1234567), "1,234,567");
        assert_eq!(
            (short(0.5), short(20_000.0), short(1.5e6)),
            ("0.5".into(), "20k".into(), "1.5M".into())
        );
        assert_eq!(percent(4640, 7680), "60.4 %");
        assert_eq!(percent(999_999, 1_000_000), "99.9999 %");
        assert_eq!(
            (percent(5, 5), percent(0, 0), percent(0, 9)),
            ("100 %".into(), "none".into(), "0.0 %".into())
        );
    }
}
