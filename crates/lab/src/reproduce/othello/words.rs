//! The experiment as plain text and as Markdown.

use super::plan::{FULL, TEXTBOOK};
use super::tables::{
    agents, agreement, command, deepest, gains, matches, method, minimal, near, nodes, ratios,
    reported,
};
use super::{Study, StudyTiming, Verdict};

/// The experiment for a terminal.
#[must_use]
pub fn text(study: &Study) -> String {
    let mut text = format!("{}\n\n{}\n{}\n\n", study.paper, method(study), agreement(study));
    for table in [gains(study), deepest(study), minimal(study), matches(study)] {
        text += &table.as_text();
        text.push('\n');
    }
    text.extend(study.all_verdicts().map(Verdict::as_text));
    let StudyTiming { seconds, threads, .. } = &study.timing;
    text + &format!("\n{seconds:.0} s on {threads} threads")
}

/// The experiment as a page of Markdown that names the figures beside it.
#[must_use]
pub fn markdown(study: &Study) -> String {
    let StudyTiming { seconds, threads, .. } = &study.timing;
    let mut text = format!(
        "# SCOUT against alpha-beta, done again\n\n{}.\n\nMade by `{} --out DIR`, version {}, in \
         {seconds:.0} s on {threads} threads. All but the times and the match at equal time \
         repeats exactly.\n\n## Verdicts\n\n",
        study.paper,
        command(study),
        study.version
    );
    text.extend(study.all_verdicts().map(Verdict::as_markdown));
    text += &format!(
        "\n## What was done\n\n{}\n\n{}\n\n{}\n",
        method(study),
        agreement(study),
        reported().as_markdown()
    );
    text += "## Nodes\n\n";
    for (file, setting) in [("nodes-fixed.svg", TEXTBOOK), ("nodes-good.svg", FULL)] {
        let table = nodes(study, setting);
        text += &format!("![{}]({file})\n\n{}\n", table.caption, table.as_markdown());
    }
    text += &format!(
        "## Ratio to alpha-beta\n\n![SCOUT and PVS divided by alpha-beta](ratio-near.svg)\n\n{}\n",
        near(study).as_markdown()
    );
    for (file, setting) in [("ratio-fixed.svg", TEXTBOOK), ("ratio-good.svg", FULL)] {
        let table = ratios(study, setting);
        text += &format!("![{}]({file})\n\n{}\n", table.caption, table.as_markdown());
    }
    for (title, table) in [
        ("What order, table and deepening save", gains(study)),
        ("All settings", deepest(study)),
        ("The smallest tree", minimal(study)),
        ("Matches", matches(study)),
        ("Agents", agents(study)),
    ] {
        text += &format!("## {title}\n\n{}\n", table.as_markdown());
    }
    text.trim_end().to_owned() + "\n"
}
