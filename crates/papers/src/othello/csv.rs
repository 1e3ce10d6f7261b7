//! Results as comma-separated values.

use std::fmt::Write as _;

use super::Study;
use stats::Ratios;

/// Every search, one a row: position × algorithm × setting × depth.
#[must_use]
pub fn searches_csv(study: &Study) -> String {
    let mut text = String::from(
        "position,board,setting,algorithm,depth,value,action,nodes,leaves,researches,table_hits,\
         seconds\n",
    );
    for search in &study.searches {
        let position = &study.plan.positions[search.position];
        let column = &study.plan.columns[search.column];
        let _ = writeln!(
            text,
            "{},{},{},{},{},{},{},{},{},{},{},{:.6}",
            position.id,
            position.text,
            column.setting,
            column.algorithm,
            search.depth,
            search.value,
            search.action,
            search.nodes,
            search.leaves,
            search.researches,
            search.table_hits,
            search.seconds
        );
    }
    text
}

/// The table of results, one setting, algorithm and depth a row.
#[must_use]
pub fn summary_csv(study: &Study) -> String {
    let mut text = String::from(
        "setting,algorithm,depth,positions,agent,nodes_total,nodes_geomean,leaves_total,\
         leaves_geomean,researches,table_hits,ratio,ratio_low,ratio_high,ratio_q1,ratio_median,\
         ratio_q3,minimal_positions,above_minimal,seconds_total,ms_geomean,time_ratio,time_low,time_high,time_q1,\
         time_median,time_q3\n",
    );
    for row in &study.rows {
        let _ = writeln!(
            text,
            "{},{},{},{},\"{}\",{},{:.1},{},{:.1},{},{},{},{},{:.4},{:.4},{}",
            row.setting,
            row.algorithm,
            row.depth,
            row.n,
            row.spec,
            row.nodes_total,
            row.nodes_mean,
            row.leaves_total,
            row.leaves_mean,
            row.researches,
            row.table_hits,
            ratios(row.to_base),
            row.to_minimal
                .map_or_else(|| ",".to_owned(), |found| format!("{},{:.4}", found.n, found.mean)),
            row.timing.seconds_total,
            row.timing.ms_mean,
            ratios(row.timing.to_base)
        );
    }
    text
}

fn ratios(found: Option<Ratios>) -> String {
    let Some(Ratios { mean, interval: [low, high], quartiles: [q1, q2, q3], .. }) = found else {
        return ",,,,,".to_owned();
    };
    format!("{mean:.6},{low:.6},{high:.6},{q1:.6},{q2:.6},{q3:.6}")
}
