// Shortens texts for protocols that count bytes.

/** The beginning of a text, at most `max` bytes in UTF-8, without a part of a character at its end. */
export function cutBytes(text: string, max: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= max) return text
  return new TextDecoder().decode(bytes.subarray(0, max), { stream: true })
}
