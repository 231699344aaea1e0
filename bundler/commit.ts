// The commit a bundle is made from: it gives a pack its identity and its time.
import { execFileSync } from 'node:child_process'

export interface Commit {
  id: string
  /** Seconds since 1970. Servers make ETags of time and size, so a constant would give wrong 304s after an update. */
  time: number
  /** Tracked files differ from the commit, or there are others where everything that lies there is packed. */
  changed: boolean
}

function git(root: string, ...args: string[]): string {
  return execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
}

/** Folders that are packed as they are, with whatever an editor or somebody left in them. */
const PACKED_WHOLE = ['static', 'firmware-pack/servers']

/** @throws outside a git checkout */
export function commitOf(root: string): Commit {
  const [id = '', time] = git(root, 'log', '-1', '--format=%H %ct').split(' ')
  const changed = git(root, 'status', '--porcelain', '--untracked-files=no')
  // Those that git is told to ignore are packed like others.
  const added = git(root, 'ls-files', '--others', '--', ...PACKED_WHOLE)
  return { id, time: Number(time), changed: changed + added !== '' }
}

/** The commit that the working tree is to be compared with: the last one, or the one before when nothing is changed since. */
export function findPreviousCommit(root: string, paths: readonly string[]): string | undefined {
  try {
    const changed = git(root, 'status', '--porcelain', '--', ...paths) !== ''
    return git(root, 'rev-parse', '--verify', '--quiet', changed ? 'HEAD' : 'HEAD~1')
  } catch {
    return undefined
  }
}

/** The last tag before what is being packed, as far as this clone knows. */
export function findPreviousTag(root: string): { tag: string; commit: string } | undefined {
  try {
    const tag = git(root, 'describe', '--tags', '--abbrev=0', commitOf(root).changed ? 'HEAD' : 'HEAD^')
    return { tag, commit: git(root, 'rev-parse', `${tag}^{commit}`) }
  } catch {
    return undefined
  }
}
