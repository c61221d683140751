#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "command.hpp"
#include "description.hpp"

namespace burnish::cli {
namespace {

/// Text with something put before each of some characters.
std::string escaped(std::string_view text, std::string_view characters, std::string_view before) {
  std::string result;
  for (const char c : text) {
    if (characters.find(c) != std::string_view::npos) {
      result += before;
    }
    result += c;
  }
  return result;
}

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

std::vector<std::string> command_names(const CommandDescription& program) {
  std::vector<std::string> names;
  for (const CommandDescription& command : program.commands) {
    names.push_back(command.name);
  }
  return names;
}

/// The words that arguments without a name may be.
std::vector<std::string> argument_words(const CommandDescription& command) {
  std::vector<std::string> words;
  for (const OptionDescription& option : command.options()) {
    if (option.is_argument) {
      words.insert(words.end(), option.words.begin(), option.words.end());
    }
  }
  return words;
}

std::vector<std::string> option_names(const CommandDescription& command) {
  std::vector<std::string> names;
  for (const OptionDescription& option : command.options()) {
    if (!option.is_argument) {
      names.push_back(option.name);
    }
  }
  return names;
}

// Where a function sets no reply, bash completes names of files.

std::string bash_script(const CommandDescription& program) {
  std::string values;
  std::string commands;
  for (const CommandDescription& command : program.commands) {
    for (const OptionDescription& option : command.options()) {
      if (option.is_argument || option.value.empty()) {
        continue;
      }
      values += fmt::format("    '{} {}') ", command.name, option.name);
      values += !option.words.empty() ? fmt::format("words='{}' ;;\n", joined(option.words))
                : option.is_file      ? "return ;;\n"
                                      : "compopt +o default; return ;;\n";
    }
    commands += fmt::format("      {}) options='{}' words='{}' ;;\n", command.name, joined(option_names(command)),
                            joined(argument_words(command)));
  }
  return fmt::format(R"bash(# Completion of burnish for bash: eval "$(burnish completion bash)"
_burnish() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} command='' options='{}' words='{}' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${{COMP_WORDS[i]}} in
      -*) ;;
      *) command=${{COMP_WORDS[i]}}; break ;;
    esac
  done
  COMPREPLY=()
  case "$command $before" in
{}    *)
      case $command in
{}      esac
      [[ $word == -* ]] && words=$options
      ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}}
complete -o default -F _burnish burnish
)bash",
                     joined(option_names(program)), joined(command_names(program)), values, commands);
}

std::string zsh_quoted(std::string_view text) {
  std::string result;
  for (const char c : text) {
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return result;
}

/// What _arguments understands: '--name[help]:value:action'.
std::string zsh_argument(const OptionDescription& option) {
  const std::string help = escaped(option.help, "[]:\\", "\\");
  const std::string value = escaped(option.value, ":\\", "\\");
  const std::string action = !option.words.empty() ? fmt::format("({})", joined(option.words))
                             : option.is_file      ? "_files"
                                                   : " ";
  if (option.is_argument) {
    return zsh_quoted(fmt::format(":{}:{}", option.name, action));
  }
  return zsh_quoted(option.value.empty() ? fmt::format("{}[{}]", option.name, help)
                                         : fmt::format("*{}[{}]:{}:{}", option.name, help, value, action));
}

std::string zsh_script(const CommandDescription& program) {
  std::string names;
  std::string cases;
  for (const CommandDescription& command : program.commands) {
    names += fmt::format("    '{}:{}'\n", command.name, zsh_quoted(escaped(command.help, ":\\", "\\")));
    cases += fmt::format("        {})\n          _arguments", command.name);
    for (const OptionDescription& option : command.options()) {
      cases += fmt::format(" \\\n            '{}'", zsh_argument(option));
    }
    cases += "\n          ;;\n";
  }
  std::string options;
  for (const OptionDescription& option : program.options()) {
    options += fmt::format("'{}' ", zsh_argument(option));
  }
  return fmt::format(R"zsh(#compdef burnish
# Completion of burnish for zsh: burnish completion zsh > a folder of $fpath/_burnish
_burnish() {{
  local state line
  local -a commands=(
{}  )
  _arguments -C {}':command:->command' '*::argument:->argument'
  case $state in
    command) _describe command commands ;;
    argument)
      case $line[1] in
{}      esac
      ;;
  esac
}}
if [ "$funcstack[1]" = _burnish ]; then
  _burnish "$@"
else
  compdef _burnish burnish
fi
)zsh",
                     names, options, cases);
}

std::string fish_quoted(std::string_view text) { return fmt::format("'{}'", escaped(text, "'\\", "\\")); }

std::string fish_script(const CommandDescription& program) {
  std::string script = "# Completion of burnish for fish: burnish completion fish | source\n";
  const auto add_options = [&](const CommandDescription& command, const std::string& condition) {
    for (const OptionDescription& option : command.options()) {
      const std::string start = fmt::format("complete -c burnish -n {}", fish_quoted(condition));
      if (option.is_argument) {
        script += option.words.empty() ? "" : fmt::format("{} -a {}\n", start, fish_quoted(joined(option.words)));
        continue;
      }
      const std::string value = option.value.empty()    ? ""
                                : !option.words.empty() ? " -x -a " + fish_quoted(joined(option.words))
                                : option.is_file        ? " -r -F"
                                                        : " -x";
      script += fmt::format("{} -l {}{} -d {}\n", start, option.name.substr(2), value, fish_quoted(option.help));
    }
  };
  script += "complete -c burnish -n __fish_use_subcommand -f\n";
  add_options(program, "__fish_use_subcommand");
  for (const CommandDescription& command : program.commands) {
    script += fmt::format("complete -c burnish -n __fish_use_subcommand -a {} -d {}\n", command.name,
                          fish_quoted(command.help));
    add_options(command, "__fish_seen_subcommand_from " + command.name);
  }
  return script;
}

}  // namespace

void add_completion(CLI::App& app) {
  CLI::App* command = app.add_subcommand("completion", "Print the completion script of a shell");
  const auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "For which shell")
      ->required()
      ->type_name("bash|zsh|fish")
      ->transform(one_of({"bash", "zsh", "fish"}));
  command->footer(
      "Installing burnish puts the scripts where the shells look for them.\n"
      "\n"
      "Examples:\n"
      "  eval \"$(burnish completion bash)\"         in ~/.bashrc\n"
      "  burnish completion zsh > _burnish          to a folder of zsh's fpath\n"
      "  burnish completion fish > burnish.fish     to ~/.config/fish/completions");
  command->callback([&app, shell] {
    const CommandDescription program = describe(app);
    std::cout << (*shell == "bash"  ? bash_script(program)
                  : *shell == "zsh" ? zsh_script(program)
                                    : fish_script(program));
  });
}

}  // namespace burnish::cli
