import { join, relative } from 'node:path'

/**
 * Path of the engine's socket in a data folder: relative to the working directory if that is shorter, because the path
 * of a Unix socket is limited to 107 bytes.
 */
export function engineSocketPath(data: string): string {
  const path = join(data, 'engine', 'engine.sock')
  const shorter = relative(process.cwd(), path)
  return shorter.length < path.length ? shorter : path
}
