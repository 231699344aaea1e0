// Runs the system programs that create and verify a pack.
import { execFileSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { PackError } from '../../pack/pack-error.ts'

/** Debian packages of the programs, where they have another name. */
const PACKAGES: Readonly<Record<string, string>> = {
  mksquashfs: 'squashfs-tools',
  unsquashfs: 'squashfs-tools',
  'dpkg-deb': 'dpkg',
  'dpkg-scanpackages': 'dpkg-dev',
  'grub-mkimage': 'grub-common',
  'grub-editenv': 'grub-common',
  'mkfs.vfat': 'dosfstools',
  mmd: 'mtools',
  mcopy: 'mtools',
  mke2fs: 'e2fsprogs',
  sfdisk: 'fdisk'
}

export interface ToolOptions {
  /** Variables besides those of this process. */
  env?: NodeJS.ProcessEnv
  cwd?: string
  /** A file that the program reads as its standard input. */
  stdinFile?: string
  /** Whether its stderr is that of this process: for a program whose last line does not say why it has failed. */
  showsErrors?: boolean
}

/**
 * Runs a program. @returns its output @throws PackError when it is missing or fails, with the last line of its stderr
 */
export function runTool(name: string, args: readonly string[], input?: Uint8Array, options: ToolOptions = {}): Buffer {
  // Variables that would change the output are not passed on: SOURCE_DATE_EPOCH and the locale.
  const { SOURCE_DATE_EPOCH: _time, ...own } = process.env
  const { cwd, stdinFile, showsErrors } = options
  // Programs for file systems are where users do not look.
  const env = { ...own, PATH: `${own.PATH}:/usr/sbin:/sbin`, LC_ALL: 'C', ...options.env }
  const stdin = stdinFile === undefined ? 'pipe' : openSync(stdinFile, 'r')
  try {
    return execFileSync(name, args, {
      input,
      cwd,
      env,
      maxBuffer: 1 << 28,
      stdio: [stdin, 'pipe', showsErrors ? 'inherit' : 'pipe']
    })
  } catch (error) {
    const { code, signal, stderr } = error as NodeJS.ErrnoException & { signal?: string; stderr?: Buffer }
    if (code === 'ENOENT')
      throw new PackError(`${name} is missing. Install it: apt-get install ${PACKAGES[name] ?? name}`)
    const message =
      String(stderr ?? '')
        .trim()
        .split('\n')
        .at(-1) || (signal ? `ended by ${signal}` : showsErrors ? 'see above' : 'no error message')
    throw new PackError(`${name} failed: ${message}`)
  } finally {
    if (typeof stdin === 'number') closeSync(stdin)
  }
}
