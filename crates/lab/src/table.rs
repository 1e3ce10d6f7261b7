//! Tables and numbers of results, as people read them.

use std::borrow::Cow;

use crate::numbers::grouped;

/// A table, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// The names of its columns.
    pub head: Vec<String>,
    /// Its rows.
    pub rows: Vec<Vec<String>>,
}

/// A column: its name, and what a row says there.
pub(crate) type Column<'a, R> = (&'static str, &'a dyn Fn(R) -> String);

/// Rows that a terminal shows of a table.
pub(crate) const MOST_ROWS: usize = 60;

impl Table {
    /// A table by its columns.
    pub(crate) fn of<R: Copy>(
        caption: impl Into<String>,
        columns: &[Column<'_, R>],
        rows: impl IntoIterator<Item = R>,
    ) -> Self {
        let row = |row: R| columns.iter().map(|(_, cell)| cell(row)).collect();
        let head = columns.iter().map(|(name, _)| (*name).to_owned()).collect();
        Self { caption: caption.into(), head, rows: rows.into_iter().map(row).collect() }
    }

    /// For a terminal.
    pub(crate) fn as_text(&self) -> String {
        let all = || std::iter::once(&self.head).chain(self.rows.iter().take(MOST_ROWS));
        let width = |column: usize| all().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.head.len()).map(width).collect();
        let is_number = |cell: &String| cell.chars().all(|one| "0123456789,.+−% []".contains(one));
        let numbers = |column: usize| self.rows.iter().all(|row| is_number(&row[column]));
        let numbers: Vec<bool> = (0..self.head.len()).map(numbers).collect();
        let line = |row: &Vec<String>| {
            let cells = row.iter().zip(&widths).zip(&numbers).map(|((cell, width), right)| {
                if *right { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
            });
            cells.collect::<Vec<String>>().join("  ").trim_end().to_owned()
        };
        let lines: Vec<String> = all().map(line).collect();
        let more = match self.rows.len().saturating_sub(MOST_ROWS) {
            0 => String::new(),
            more => format!("… and {} more rows\n", grouped(more as u64)),
        };
        format!("{}\n\n{}\n{more}", self.caption, lines.join("\n"))
    }

    /// For a page of Markdown.
    pub(crate) fn as_markdown(&self) -> String {
        let line = |row: &Vec<String>| format!("| {} |", row.join(" | "));
        let rule = format!("|{}", "---|".repeat(self.head.len()));
        let rows: Vec<String> = self.rows.iter().map(line).collect();
        format!("{}.\n\n{}\n{rule}\n{}\n", self.caption, line(&self.head), rows.join("\n"))
    }
}

/// A number of about three digits; a small one keeps two, however small it is.
#[must_use]
pub fn short(value: f64) -> String {
    match value {
        _ if value >= 100.0 => grouped(value.round() as u64),
        _ if value >= 10.0 => format!("{value:.1}"),
        _ if value >= 0.1 => format!("{value:.2}"),
        _ if value > 0.0 => {
            let zeros = -value.log10().floor();
            format!("{value:.*}", (zeros as usize + 1).min(12))
        }
        _ => "0".into(),
    }
}

/// The head of a table.
#[must_use]
pub fn head(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

/// A text that a spreadsheet does not take for a formula: such as begin with `=`, `+`, `-` or `@` and
/// are no numbers get an apostrophe, as spreadsheets themselves write it.
pub(crate) fn plain_cell(text: &str) -> Cow<'_, str> {
    let formula = text.starts_with(['=', '+', '-', '@']) && text.parse::<f64>().is_err();
    if formula { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn small_numbers_do_not_vanish() {
        let texts = [12_345.6, 12.34, 1.234, 0.1234, 0.0567, 0.004_21, 0.000_421, 0.0].map(short);
        let wanted = ["12,346", "12.3", "1.23", "0.12", "0.057", "0.0042", "0.00042", "0"];
        assert_eq!(texts, wanted);
    }
}
