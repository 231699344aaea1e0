// Writes events that contain arbitrary text, escaped as JSON strings.
#ifndef TEXT_EVENT_H
#define TEXT_EVENT_H

// Writes {"<key>":"<text>","url":"<url>"}, without the URL if it is NULL. An event that is too long is dropped.
void write_text_event(const char *key, const char *text, const char *url);

// Writes {"<key>":"<text>","<number_key>":<number>}. An event that is too long is dropped.
void write_numbered_text_event(const char *key, const char *text, const char *number_key, int number);

#endif
