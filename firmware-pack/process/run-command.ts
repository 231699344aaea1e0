import { tmpdir } from 'node:os'
import { PackError } from '../../pack/pack-error.ts'

/** Messages for system errors, by error code. */
const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  ENOSPC: 'No space is left on the disk',
  EDQUOT: 'No space is left in the quota',
  EFBIG: 'No space is left for a file of this size',
  EROFS: 'The disk is read-only',
  EACCES: 'Permission denied',
  EPERM: 'Permission denied',
  EISDIR: 'Expected a file, but found a folder',
  EXDEV: 'build/ and firmware-pack/ must be on the same file system',
  EBUSY: 'The folder is in use, or something is mounted there'
}

/** Returns the message for an expected error, or undefined for a bug. */
function describeError(error: unknown): string | undefined {
  if (error instanceof PackError) return error.message
  const { code = '', path } = error as NodeJS.ErrnoException
  const message = SYSTEM_ERRORS[code]
  return message && `${message}: ${path ?? `${process.cwd()} or ${tmpdir()} (TMPDIR)`}.`
}

/**
 * Runs a command. Expected errors, including system errors, print one message and set exit status 1. Other errors are
 * bugs and keep their stack.
 */
export function runCommand(command: () => void): void {
  try {
    command()
  } catch (error) {
    const message = describeError(error)
    if (!message) throw error
    console.error(message)
    process.exitCode = 1
  }
}
