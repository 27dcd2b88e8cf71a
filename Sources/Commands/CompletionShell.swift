import ArgumentParser

/// A shell for which the program can print a completion script.
enum CompletionShell: String, ExpressibleByArgument, CaseIterable {
  case bash, zsh, fish

  /// A completion script for the shell. The script runs the program for each completion.
  var script: String {
    switch self {
    case .bash: Self.bashScript
    case .zsh: Self.zshScript
    case .fish: Self.fishScript
    }
  }

  private static let bashScript = #"""
    # bash completion of sonde
    _sonde() {
      local line file
      COMPREPLY=()
      while IFS= read -r line; do
        if [[ $line == :files ]]; then
          compopt -o filenames 2>/dev/null
          while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$2")
        else
          COMPREPLY+=("${line%%$'\t'*}")
        fi
      done < <("$1" ---complete "${COMP_LINE:0:COMP_POINT}" "$2" 2>/dev/null)
    }
    complete -F _sonde sonde
    """#

  private static let zshScript = #"""
    #compdef sonde
    _sonde() {
      local line takes_files=0 ret=1 typed=$LBUFFER
      local -a offered shown
      # LBUFFER lacks the quote that begins the completed word.
      [[ $typed == *"$PREFIX" ]] && typed=${typed%"$PREFIX"}$QIPREFIX$PREFIX
      while IFS= read -r line; do
        if [[ $line == :files ]]; then
          takes_files=1
        else
          offered+=("${line%%$'\t'*}")
          shown+=("${line/$'\t'/  -- }")
        fi
      done < <("${words[1]}" ---complete "$typed" 2>/dev/null)
      (( ${#offered} )) && compadd -V sonde -l -d shown -a offered && ret=0
      (( takes_files )) && _files && ret=0
      return ret
    }
    if [[ $funcstack[1] == _sonde ]]; then _sonde "$@"; else compdef _sonde sonde; fi
    """#

  private static let fishScript = #"""
    # fish completion of sonde
    function __sonde_complete
        set -l program (commandline -opc)[1]
        for line in ($program ---complete (commandline -cp | string collect) 2>/dev/null)
            if test "$line" = :files
                __fish_complete_path (commandline -ct)
            else
                echo $line
            end
        end
    end
    complete -c sonde -f -k -a '(__sonde_complete)'
    """#
}
