// Unpacks a SquashFS image with the bounds of squashfs.ts.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { OverBudget, PackError } from './pack-error.ts'
import { type Command, listCommand, OUTPUT_MAX, sizeOfListing, unpackCommand } from './squashfs.ts'

const execFileAsync = promisify(execFile)

interface UnpackOptions {
  signal: AbortSignal
  /** Milliseconds for each of the two programs. */
  timeout: number
}

/** Runs a program. @returns its output */
async function run({ program, args }: Command, { signal, timeout }: UnpackOptions): Promise<string> {
  const env = { ...process.env, LC_ALL: 'C' }
  try {
    const options = { signal, timeout, maxBuffer: OUTPUT_MAX, killSignal: 'SIGKILL', env } as const
    return (await execFileAsync(program, args, options)).stdout
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new PackError('unsquashfs is missing. Install it: apt-get install squashfs-tools', 'tool')
    signal.throwIfAborted()
    const { stderr, message } = error as Error & { stderr?: string }
    const [reason] = (stderr?.trim() || message).split('\n')
    throw new PackError(`The image cannot be unpacked: ${reason}`, 'format')
  }
}

/**
 * @throws PackError if the image cannot be unpacked, or is larger than `maxBytes` unpacked: then before anything is
 * unpacked
 */
export async function unpackImage(
  image: string,
  target: string,
  maxBytes: number,
  options: UnpackOptions
): Promise<void> {
  const size = sizeOfListing(await run(listCommand(image), options))
  if (size > maxBytes) throw new OverBudget('image', size, maxBytes)
  await run(unpackCommand(image, target, maxBytes), options)
}
