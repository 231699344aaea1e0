// Commands of the engine: one per line, with fields separated by tabs.
#ifndef COMMANDS_H
#define COMMANDS_H

#include <stdbool.h>

// Begins to read commands from stdin. The program exits at the end of stdin.
bool open_commands(void);

#endif
