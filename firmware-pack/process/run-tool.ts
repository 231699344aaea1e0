// Programs of the system that a pack is made and checked with.
import { execFileSync } from 'node:child_process'
import { PackError } from '../../pack/pack-error.ts'

const PACKAGES: Readonly<Record<string, string>> = {
  mksquashfs: 'squashfs-tools',
  unsquashfs: 'squashfs-tools',
  openssl: 'openssl'
}

/** @throws Refusal when the program is missing or fails, with what it said last */
export function runTool(name: string, args: readonly string[], input?: Uint8Array): Buffer {
  // What would change its output is not passed on: a time of its own, a language, default options.
  const { SOURCE_DATE_EPOCH: _time, ...env } = process.env
  try {
    return execFileSync(name, args, { input, env: { ...env, LC_ALL: 'C' }, maxBuffer: 1 << 28, stdio: 'pipe' })
  } catch (error) {
    const { code, signal, stderr } = error as NodeJS.ErrnoException & { signal?: string; stderr?: Buffer }
    if (code === 'ENOENT')
      throw new PackError(`${name} is missing. Install it: apt-get install ${PACKAGES[name] ?? name}`)
    const said =
      String(stderr ?? '')
        .trim()
        .split('\n')
        .at(-1) || (signal ? `ended by ${signal}` : 'without a word')
    throw new PackError(`${name} failed: ${said}`)
  }
}
