import { tmpdir } from 'node:os'
import { PackError } from '../../pack/pack-error.ts'

/** What the machine refuses, by the code of its error, said for who has to see to it. */
const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  ENOSPC: 'No space is left on the disk',
  EDQUOT: 'No space is left in the quota',
  EFBIG: 'No space is left for a file of this size',
  EROFS: 'The disk is read-only',
  EACCES: 'The rights are missing',
  EPERM: 'The rights are missing',
  EISDIR: 'A file is expected, and there is a folder',
  EXDEV: 'build/ and firmware-pack/ must lie on one disk',
  EBUSY: 'The folder is in use, or something is mounted there'
}

/** @returns undefined for a fault of ours */
function describeError(error: unknown): string | undefined {
  if (error instanceof PackError) return error.message
  const { code = '', path } = error as NodeJS.ErrnoException
  const said = SYSTEM_ERRORS[code]
  return said && `${said}: ${path ?? `${process.cwd()} or ${tmpdir()} (TMPDIR)`}.`
}

/** Runs a verb. A refusal, also one of the machine, is said and makes the status 1; anything else is a fault of ours and keeps its stack. */
export function runCommand(verb: () => void): void {
  try {
    verb()
  } catch (error) {
    const sentence = describeError(error)
    if (!sentence) throw error
    console.error(sentence)
    process.exitCode = 1
  }
}
