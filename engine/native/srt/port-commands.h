// The commands of the hub for a shared port.
#ifndef PORT_COMMANDS_H
#define PORT_COMMANDS_H

// Carries out one command, whose fields are separated by tabs. Overwrites the line. An unknown command is reported.
void handle_port_command(char *line);

#endif
