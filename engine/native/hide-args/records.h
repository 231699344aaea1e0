#pragma once

/** Returns the text of the n-th record of a type, counted from 1, or NULL if there is none. */
char *find_record(char type, long number);
