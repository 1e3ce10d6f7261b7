//! A document for readers: words first, every chart with its table. Written once, it becomes a page
//! that loads nothing from elsewhere, Markdown, and one file for every figure.

use std::fmt::Write as _;

use super::draw::{Drawing, escaped};
use super::html::{page, table_html, verdict_html};
use super::verdict::Verdict;
use crate::table::{Table, plain_cell};

/// A part of a document. In words, `code` stands between backticks and **weight** between double
/// asterisks.
#[derive(Clone, Debug)]
pub enum Block {
    /// Begins a section.
    Heading(String),
    /// A paragraph.
    Words(String),
    /// Sentences one below the other.
    List(Vec<String>),
    /// A claim and what became of it.
    Verdict(Verdict),
    /// Numbers.
    Table(Data),
    /// A chart, words about it, and its numbers.
    Figure {
        /// What to see in it.
        words: String,
        /// The chart.
        drawing: Drawing,
        /// The numbers behind it.
        data: Data,
    },
}

/// A table for readers and its numbers for programs.
#[derive(Clone, Debug)]
pub struct Data {
    /// The name of its files, without ending.
    pub name: String,
    /// For readers.
    pub table: Table,
    /// For programs: one number a field; the table itself if that is so already.
    pub fields: Option<Table>,
}

impl Data {
    /// A table whose fields are numbers or words already.
    #[must_use]
    pub fn plain(name: &str, table: Table) -> Self {
        Self { name: name.to_owned(), table, fields: None }
    }

    /// The numbers as a file.
    #[must_use]
    pub fn file(&self) -> DocumentFile {
        DocumentFile { name: format!("{}.csv", self.name), content: self.csv() }
    }

    fn csv(&self) -> String {
        let Table { head, rows, .. } = self.fields.as_ref().unwrap_or(&self.table);
        let line = |row: &Vec<String>| {
            let fields: Vec<String> = row.iter().map(|field| csv_field(field)).collect();
            fields.join(",") + "\n"
        };
        std::iter::once(head).chain(rows).map(line).collect()
    }
}

fn csv_field(field: &str) -> String {
    let field = plain_cell(field);
    if field.contains([',', '"', '\n']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.into_owned()
    }
}

/// A document.
#[derive(Clone, Debug)]
pub struct Document {
    /// Its name.
    pub title: String,
    /// The answer, before anything else.
    pub lead: Vec<String>,
    /// Large numbers with a few words each.
    pub facts: Vec<(String, String)>,
    /// What follows.
    pub blocks: Vec<Block>,
}

/// A file of a document.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentFile {
    /// Its name.
    pub name: String,
    /// What is in it.
    pub content: String,
}

impl Document {
    /// The page.
    #[must_use]
    pub fn html(&self) -> String {
        let mut body = String::new();
        for sentence in &self.lead {
            let _ = writeln!(body, "<p class=\"lead\">{}</p>", inline_html(sentence));
        }
        if !self.facts.is_empty() {
            body += "<div class=\"big\">";
            for (value, words) in &self.facts {
                let _ = write!(body, "<div><b>{}</b>{}</div>", escaped(value), inline_html(words));
            }
            body += "</div>\n";
        }
        for block in &self.blocks {
            body += &block_html(block);
        }
        page(&self.title, &body)
    }

    /// The tables that its sentences rest on.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Table(data) | Block::Figure { data, .. } => Some(&data.table),
            _ => None,
        })
    }

    /// The same without charts, for a terminal.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("{}\n\n", self.title);
        text.extend(self.lead.iter().map(|sentence| format!("{sentence}\n")));
        for (value, words) in &self.facts {
            let _ = writeln!(text, "{value} {words}");
        }
        for block in &self.blocks {
            match block {
                Block::Heading(_) => continue,
                Block::Words(words) => {
                    let _ = writeln!(text, "\n{words}");
                }
                Block::List(lines) => {
                    let _ = writeln!(text, "\n{}", lines.join("\n"));
                }
                Block::Verdict(verdict) => text += &verdict.as_markdown(),
                Block::Table(data) | Block::Figure { data, .. } => {
                    let _ = write!(text, "\n{}", data.table.as_text());
                }
            }
        }
        text.replace("**", "")
    }

    /// The same without charts, for places that show Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut text = format!("# {}\n", self.title);
        for sentence in &self.lead {
            let _ = write!(text, "\n{sentence}\n");
        }
        if !self.facts.is_empty() {
            text.push('\n');
        }
        for (value, words) in &self.facts {
            let _ = writeln!(text, "- **{value}** {words}");
        }
        for block in &self.blocks {
            text.push('\n');
            match block {
                Block::Heading(words) => {
                    let _ = writeln!(text, "## {words}");
                }
                Block::Words(words) => {
                    let _ = writeln!(text, "{words}");
                }
                Block::List(lines) => {
                    for line in lines {
                        let _ = writeln!(text, "- {line}");
                    }
                }
                Block::Verdict(verdict) => text += &verdict.as_markdown(),
                Block::Table(data) => text += &data.table.as_markdown(),
                Block::Figure { words, data, .. } => {
                    let _ = write!(text, "{words}\n\n![{0}]({0}.svg)\n\n", data.name);
                    text += &data.table.as_markdown();
                }
            }
        }
        text
    }

    /// Page, Markdown, and every figure and table as files.
    #[must_use]
    pub fn files(&self) -> Vec<DocumentFile> {
        let file = |name: String, content: String| DocumentFile { name, content };
        let mut files =
            vec![file("index.html".into(), self.html()), file("README.md".into(), self.markdown())];
        for block in &self.blocks {
            match block {
                Block::Figure { drawing, data, .. } => {
                    files.push(file(format!("{}.svg", data.name), drawing.svg()));
                    files.push(data.file());
                }
                Block::Table(data) => files.push(data.file()),
                _ => {}
            }
        }
        files
    }

    /// Names and charts, as programs that make pictures read them.
    pub fn drawings(&self) -> impl Iterator<Item = (&str, String)> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Figure { drawing, data, .. } => Some((data.name.as_str(), drawing.plain_svg())),
            _ => None,
        })
    }
}

fn block_html(block: &Block) -> String {
    match block {
        Block::Heading(words) => format!("<h2>{}</h2>\n", inline_html(words)),
        Block::Words(words) => format!("<p>{}</p>\n", inline_html(words)),
        Block::List(lines) => {
            let lines: String =
                lines.iter().map(|line| format!("<li>{}</li>\n", inline_html(line))).collect();
            format!("<ul>{lines}</ul>\n")
        }
        Block::Verdict(verdict) => verdict_html(verdict),
        Block::Table(data) => folded(&data.table),
        Block::Figure { words, drawing, data } => format!(
            "<p>{}</p><figure class=\"scroll\">{}</figure>\n{}",
            inline_html(words),
            drawing.inline(),
            folded(&data.table)
        ),
    }
}

/// Tables longer than this are shown when asked for.
const LONG: usize = 16;

fn folded(table: &Table) -> String {
    let inside = table_html(table, "");
    if table.rows.len() <= LONG {
        return inside;
    }
    let rows = table.rows.len();
    format!("<details><summary>Table: {rows} rows</summary>{inside}</details>\n")
}

/// Words as HTML.
pub(crate) fn inline_html(words: &str) -> String {
    let tagged = |text: &str, mark: &str, tag: &str| -> String {
        let parts = text.split(mark).enumerate();
        parts
            .map(|(index, part)| match index % 2 {
                0 => part.to_owned(),
                _ => format!("<{tag}>{part}</{tag}>"),
            })
            .collect()
    };
    tagged(&tagged(&escaped(words), "`", "code"), "**", "b")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::head;

    fn document() -> Document {
        let table = Table {
            caption: "Scores".into(),
            head: head(&["player", "points"]),
            rows: (0..30).map(|row| vec![format!("<p{row}>"), format!("{row}, \"x\"")]).collect(),
        };
        Document {
            title: "A & B".into(),
            lead: vec!["**A** is better than `b<c`.".into()],
            facts: vec![("12".into(), "games".into())],
            blocks: vec![Block::Heading("Players".into()), Block::Table(Data::plain("t", table))],
        }
    }

    #[test]
    fn a_page_escapes_what_it_is_given_and_loads_nothing() {
        let html = document().html();
        assert!(html.contains("<b>A</b> is better than <code>b&lt;c</code>."));
        assert!(html.contains("&lt;p7&gt;") && !html.contains("<p7>"));
        assert!(html.contains("<details>"), "long tables are folded");
        assert!(!html.contains("src=") && !html.contains("href="));
        assert!(!html.contains("<script"));
    }

    #[test]
    fn fields_of_a_csv_file_are_quoted() {
        let files = document().files();
        let csv = &files.iter().find(|file| file.name == "t.csv").unwrap().content;
        assert!(csv.starts_with("player,points\n<p0>,\"0, \"\"x\"\"\"\n"), "{csv}");
        assert_eq!(csv.lines().count(), 31);
        let markdown = document().markdown();
        assert!(markdown.contains("| <p3> | 3, \"x\" |"), "{markdown}");
    }
}
