//! `warroom completions SHELL`, `warroom man [COMMAND]` and `warroom licences`

use std::io;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;

use crate::Cli;
use crate::common::{Done, print_text};

#[derive(clap::Args)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    shell: Shell,
}

pub(crate) fn completions(args: &CompletionsArgs) -> Result<Done> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "warroom", &mut script);
    io::Write::write_all(&mut io::stdout().lock(), &script)?;
    Ok(Done::Fine)
}

#[derive(clap::Args)]
pub(crate) struct ManArgs {
    /// The page of one command [default: the main page].
    command: Option<String>,
    /// Write the pages of all commands into this folder instead.
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    all: Option<PathBuf>,
}

pub(crate) fn man(args: &ManArgs) -> Result<Done> {
    let mut main = Cli::command();
    main.build();
    if let Some(folder) = &args.all {
        std::fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(main, folder))
            .with_context(|| format!("cannot write manual pages to '{}'", folder.display()))?;
        return Ok(Done::Fine);
    }
    let page = match &args.command {
        None => main,
        Some(name) => {
            let Some(command) = main.find_subcommand(name) else {
                let names: Vec<&str> =
                    main.get_subcommands().map(clap::Command::get_name).collect();
                bail!("'{name}': no such command ({})", names.join(", "));
            };
            command.clone().name(format!("warroom-{name}"))
        }
    };
    Man::new(page).render(&mut io::stdout().lock())?;
    Ok(Done::Fine)
}

/// `cargo xtask licences` writes them; tidy holds them to the lock files.
const LICENCES: &str = include_str!("../../../data/licences.txt");

pub(crate) fn licences() -> Result<Done> {
    print_text(LICENCES.trim_end())?;
    Ok(Done::Fine)
}
