#ifndef ROUTE_H
#define ROUTE_H

// Announces the destinations of a matrix, and routes NDI sources to them. Reads commands from stdin, one per line, with
// fields separated by tabs, until its end:
//   announce <destination> <name> <source>   announces a destination, a number from 1 to 64; an empty source routes nothing
//   remove <destination>                     withdraws it
//   route <destination> <source>             adds a route to the next take
//   take <turn>                              makes the routes since the last take: all of them, or none
// Writes these events:
//   {"name":"<NDI name>","destination":n}    the destination is announced
//   {"failed-destination":n}                 it cannot be announced
//   {"connections":c,"destination":n}        the number of its receivers has changed
//   {"take":t,"failed":[n,…]}                a take was made, or went back because these destinations failed
//   {"found":"<name>","url":…}, {"gone":…}   as those of watch_sources
//   {"alive":1}                              every 100 ms
// Returns the exit status of the program.
int route_sources(const char *groups, const char *addresses);

// Carries out one command. Overwrites the line. An unknown command is ignored.
void handle_route_command(char *line);

#endif
