#include <fmt/format.h>

#include <iostream>

#include "command.hpp"
#include "description.hpp"

namespace burnish::cli {
namespace {

/// Text as roff wants it: no line starts a request, hyphens and backslashes are themselves.
std::string roff(std::string_view text) {
  std::string result;
  bool at_start = true;
  for (const char c : text) {
    if (at_start && (c == '.' || c == '\'')) {
      result += "\\&";
    }
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
    at_start = c == '\n';
  }
  return result;
}

/// Lines as they are.
std::string as_it_is(std::string_view text) { return fmt::format(".nf\n{}\n.fi\n", roff(text)); }

std::string option_entry(const OptionDescription& option) {
  const std::string value =
      option.value.empty() || option.is_argument ? "" : fmt::format(" \\fI{}\\fR", roff(option.value));
  return fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", roff(option.name), value, roff(option.help));
}

std::string command_section(const CommandDescription& command) {
  std::string synopsis = fmt::format("\\fBburnish {}\\fR", roff(command.name));
  for (const OptionDescription& option : command.options()) {
    if (option.is_argument) {
      synopsis += fmt::format(" \\fI{}\\fR", roff(option.name));
    }
  }
  std::string section =
      fmt::format(".SS {}\n{}\n.PP\n{}.\n", roff(command.name), synopsis + " [\\fIoptions\\fR]", roff(command.help));
  for (const OptionGroup& group : command.groups) {
    if (!group.title.empty()) {
      section += fmt::format(".PP\n\\fI{}.\\fR {}\n", roff(group.title), roff(group.help));
    }
    for (const OptionDescription& option : group.options) {
      section += option_entry(option);
    }
  }
  return command.footer.empty() ? section : section + ".PP\n" + as_it_is(command.footer);
}

std::string manual_page(const CommandDescription& program) {
  std::string page = ".TH BURNISH 1 \"\" \"burnish " BURNISH_VERSION "\" \"User commands\"\n";
  page += ".SH NAME\nburnish \\- removes noise from 3D point clouds and keeps their edges\n";
  page += ".SH SYNOPSIS\n\\fBburnish\\fR \\fIcommand\\fR [\\fIoptions\\fR]\n";
  page += fmt::format(".SH DESCRIPTION\n{}\n.PP\n{}", roff(program.help), as_it_is(program.footer));
  page += ".SH OPTIONS\n";
  for (const OptionDescription& option : program.options()) {
    page += option_entry(option);
  }
  page += ".SH COMMANDS\n";
  for (const CommandDescription& command : program.commands) {
    page += command_section(command);
  }
  page +=
      ".SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\nIf set and not empty, messages on a terminal have no colours.\n"
      ".SH EXIT STATUS\n.TP\n0\nSuccess.\n.TP\n1\nThe input cannot be used, or the output not be written.\n"
      ".TP\n2\nWrong usage.\n.TP\n130\nStopped by Ctrl\\-C.\n";
  return page;
}

}  // namespace

void add_manual(CLI::App& app) {
  CLI::App* command = app.add_subcommand("man", "Print the manual page");
  command->footer(
      "Examples:\n"
      "  burnish man > burnish.1                    man ./burnish.1 shows it\n"
      "  burnish man | gzip > burnish.1.gz");
  command->callback([&app] { std::cout << manual_page(describe(app)); });
}

}  // namespace burnish::cli
