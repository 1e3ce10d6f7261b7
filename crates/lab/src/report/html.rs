//! Pages for readers.

use super::draw::{escaped, style};
use super::verdict::{Ruling, Verdict};
use crate::table::Table;

const STYLE: &str = "
:root{--fg:#1f2328;--quiet:#57606a;--bg:#fff;--line:#d8dee4;--soft:#f6f8fa;--good:#1a7f37;--bad:#cf222e;--open:#7d4e00}
@media screen and (prefers-color-scheme:dark){:root{--fg:#e6edf3;--quiet:#9198a1;--bg:#0d1117;--line:#30363d;--soft:#161b22;--good:#3fb950;--bad:#ff7b72;--open:#e3b341}}
*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--fg);font:17px/1.55 system-ui,sans-serif;overflow-wrap:break-word}
main{max-width:64rem;margin:0 auto;padding:1.5rem 1rem 4rem}p,ul{max-width:44rem}li{margin:.25rem 0}
h1{font-size:1.9rem;line-height:1.2;margin:.5rem 0}h2{margin:2.6rem 0 .6rem;font-size:1.35rem}
.quiet{color:var(--quiet);font-size:.93rem}.lead{font-size:1.12rem;line-height:1.5}
.claim{border:1px solid var(--line);border-left-width:5px;border-radius:6px;padding:.7rem 1rem;margin:.8rem 0;max-width:52rem}
.claim h3{margin:0;font-size:1.02rem}.claim p{margin:.35rem 0 0}
.ruling{font-weight:700;white-space:nowrap}.holds{border-left-color:var(--good)}.holds .ruling{color:var(--good)}
.no{border-left-color:var(--bad)}.no .ruling{color:var(--bad)}.open{border-left-color:var(--open)}.open .ruling{color:var(--open)}
figure{margin:1rem 0;border:1px solid var(--line);border-radius:8px;padding:.6rem}figure svg{width:100%;height:auto;display:block;margin:0 auto}
.wide{overflow-x:auto;margin:.6rem 0 1.4rem}table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}
.caption{color:var(--quiet);margin:1rem 0 .2rem;font-size:.9rem}.wide{margin-top:.2rem}
th,td{border-bottom:1px solid var(--line);padding:.28rem .9rem .28rem 0;text-align:left;vertical-align:top}
td{white-space:nowrap}td.long{white-space:normal;min-width:9rem;max-width:26rem}
th{font-weight:600}td.n,th.n{text-align:right}code,pre,.code td:last-child{font-family:ui-monospace,monospace;font-size:.86em}
pre{background:var(--soft);border-radius:8px;padding:.8rem 1rem;line-height:1.4}
details{margin:.4rem 0 1.4rem}summary{cursor:pointer;color:var(--quiet)}
.big{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:.8rem;margin:1.2rem 0}
.big div{background:var(--soft);border-radius:8px;padding:.8rem 1rem}.big b{display:block;font-size:1.6rem;line-height:1.25}
.scroll{overflow-x:auto}@media(max-width:40rem){body{font-size:16px}figure svg{min-width:calc(var(--w)*.72)}h1{font-size:1.5rem}td.long{max-width:14rem}}
@media print{body{font-size:11pt}main{max-width:none;padding:0}figure,.claim,tr{break-inside:avoid}h2{break-after:avoid}
.scroll,.wide{overflow:visible}table{font-size:7.5pt}th,td{padding-right:.4rem}
.many td{white-space:normal}td.long{min-width:0;max-width:10rem}figure svg{min-width:0}details::details-content{content-visibility:visible}summary{display:none}}
";

/// A page that loads nothing from elsewhere; `body` is HTML and begins below the title.
pub(crate) fn page(title: &str, body: &str) -> String {
    let title = escaped(title);
    let charts = style();
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width,initial-scale=1\"><meta name=\"color-scheme\" content=\"light \
         dark\"><title>{title}</title><style>{STYLE}{charts}</style></head><body><main>\n\
         <h1>{title}</h1>\n{body}</main></body></html>\n"
    )
}

/// A number, or a number and how many positions it rests on.
fn is_number(cell: &str) -> bool {
    let cell = cell.split_once(" (n = ").map_or(cell, |(number, _)| number);
    let cell = cell.trim_start_matches(['+', '−']);
    cell.chars().all(|c| c.is_ascii_digit() || ",.".contains(c)) && !cell.is_empty()
}

/// Tables with more columns than this break their cells into lines on paper.
const WIDE_TABLE: usize = 8;

/// Cells with more letters than this may be broken into lines.
const LONG_CELL: usize = 30;

/// A table; `code` as its class writes the last column as code.
pub(crate) fn table_html(table: &Table, class: &str) -> String {
    // Tables that are too wide for paper.
    let many = if table.head.len() > WIDE_TABLE { " many" } else { "" };
    let numeric: Vec<bool> = (0..table.head.len())
        .map(|column| {
            table.rows.iter().all(|row| is_number(&row[column]) || row[column].is_empty())
        })
        .collect();
    let cells = |tag: &str, row: &[String]| -> String {
        let cell = |(cell, numeric): (&String, &bool)| {
            let class = match numeric {
                true => " class=\"n\"",
                false if cell.chars().count() > LONG_CELL => " class=\"long\"",
                false => "",
            };
            format!("<{tag}{class}>{}</{tag}>", escaped(cell))
        };
        row.iter().zip(&numeric).map(cell).collect()
    };
    let rows: String =
        table.rows.iter().map(|row| format!("<tr>{}</tr>\n", cells("td", row))).collect();
    format!(
        "<p class=\"caption\">{0}</p><div class=\"wide\"><table class=\"{class}{many}\" \
         aria-label=\"{0}\"><thead><tr>{1}</tr></thead><tbody>\n{rows}</tbody></table></div>\n",
        escaped(&table.caption),
        cells("th", &table.head)
    )
}

/// A claim and what became of it, in a box.
pub(crate) fn verdict_html(verdict: &Verdict) -> String {
    let class = match verdict.ruling {
        Ruling::Holds => "holds",
        Ruling::DoesNotHold | Ruling::CannotBeSo => "no",
        Ruling::HoldsInPart
        | Ruling::NotShown
        | Ruling::NotTestableHere
        | Ruling::NotComparable => "open",
    };
    format!(
        "<section class=\"claim {class}\"><h3>{}</h3><p><span class=\"ruling\">{}.</span> \
         {}: {}.</p><p class=\"quiet\">{}</p></section>\n",
        escaped(&verdict.claim),
        capitalised(verdict.ruling.words()),
        verdict.basis(),
        escaped(&verdict.measured),
        escaped(&verdict.why)
    )
}

/// With a capital letter to begin a sentence, unless it begins with a name such as `h4[15]`.
pub(crate) fn capitalised(words: &str) -> String {
    let is_name = |letter: char| letter.is_ascii_digit() || "[]".contains(letter);
    if words.split_whitespace().next().is_some_and(|word| word.contains(is_name)) {
        return words.to_owned();
    }
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::capitalised;

    #[test]
    fn names_keep_their_letters() {
        assert_eq!(capitalised("above half"), "Above half");
        assert_eq!(capitalised("h4[15] v uct"), "h4[15] v uct");
        assert_eq!(capitalised("h4 v uct"), "h4 v uct");
        assert_eq!(capitalised("élan, 3 times"), "Élan, 3 times");
        assert_eq!(capitalised(""), "");
    }
}
