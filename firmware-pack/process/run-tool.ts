// Runs the system programs that create and verify a pack.
import { execFileSync } from 'node:child_process'
import { PackError } from '../../pack/pack-error.ts'

const PACKAGES: Readonly<Record<string, string>> = {
  mksquashfs: 'squashfs-tools',
  unsquashfs: 'squashfs-tools',
  openssl: 'openssl',
  'dpkg-deb': 'dpkg'
}

/**
 * Runs a program. @returns its output @throws PackError when it is missing or fails, with the last line of its stderr
 */
export function runTool(name: string, args: readonly string[], input?: Uint8Array): Buffer {
  // Variables that would change the output are not passed on: SOURCE_DATE_EPOCH and the locale.
  const { SOURCE_DATE_EPOCH: _time, ...env } = process.env
  try {
    return execFileSync(name, args, { input, env: { ...env, LC_ALL: 'C' }, maxBuffer: 1 << 28, stdio: 'pipe' })
  } catch (error) {
    const { code, signal, stderr } = error as NodeJS.ErrnoException & { signal?: string; stderr?: Buffer }
    if (code === 'ENOENT')
      throw new PackError(`${name} is missing. Install it: apt-get install ${PACKAGES[name] ?? name}`)
    const message =
      String(stderr ?? '')
        .trim()
        .split('\n')
        .at(-1) || (signal ? `ended by ${signal}` : 'no error message')
    throw new PackError(`${name} failed: ${message}`)
  }
}
