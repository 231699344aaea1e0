// The commit of a bundle. A pack takes its commit ID and its time from it.
import { execFileSync } from 'node:child_process'

export interface Commit {
  id: string
  /**
   * Seconds since 1970. Web servers derive ETags from time and size, so a constant time would cause wrong 304 responses
   * after an update.
   */
  time: number
  /** Whether tracked files differ from the commit, or a folder that is packed as a whole contains untracked files. */
  changed: boolean
}

function git(root: string, ...args: string[]): string {
  return execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
}

/** Folders that are packed as a whole, including untracked files. */
const PACKED_WHOLE = ['static', 'firmware-pack/servers']

/** Reads the last commit. @throws Error outside a git checkout */
export function commitOf(root: string): Commit {
  const [id = '', time] = git(root, 'log', '-1', '--format=%H %ct').split(' ')
  const changed = git(root, 'status', '--porcelain', '--untracked-files=no')
  // Includes files that git ignores, because they are packed too.
  const added = git(root, 'ls-files', '--others', '--', ...PACKED_WHOLE)
  return { id, time: Number(time), changed: changed + added !== '' }
}

/**
 * Finds the commit to compare the working tree with: the last one, or the one before it when `paths` have no changes.
 */
export function findPreviousCommit(root: string, paths: readonly string[]): string | undefined {
  try {
    const changed = git(root, 'status', '--porcelain', '--', ...paths) !== ''
    return git(root, 'rev-parse', '--verify', '--quiet', changed ? 'HEAD' : 'HEAD~1')
  } catch {
    return undefined
  }
}

/** Finds the last tag in this clone before the packed commit. */
export function findPreviousTag(root: string): { tag: string; commit: string } | undefined {
  try {
    const tag = git(root, 'describe', '--tags', '--abbrev=0', commitOf(root).changed ? 'HEAD' : 'HEAD^')
    return { tag, commit: git(root, 'rev-parse', `${tag}^{commit}`) }
  } catch {
    return undefined
  }
}
