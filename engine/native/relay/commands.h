// The commands of the engine.
#ifndef COMMANDS_H
#define COMMANDS_H

// Carries out one command, whose fields are separated by tabs. Overwrites the line. An unknown command is reported.
void handle_command(char *line);

#endif
