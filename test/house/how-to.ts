// Follows a how-to: finds its code blocks with the words that say what to do with each, and does it in a copy of the
// project. The words are the end of the paragraph before a block (CONTRIBUTING.md, "How-tos").
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'

import { dirname, join } from 'node:path'
import { projectFiles, root as projectRoot } from './sources.ts'

/** The how-tos, in the order in which they are followed, with the most files that each may touch. */
export const FILES_MAX: Readonly<Record<string, number>> = {
  'docs/new-call.md': 6,
  'docs/new-field.md': 8,
  'docs/new-form.md': 2,
  'docs/new-screen.md': 5,
  'docs/new-protocol.md': 15,
  // Two changes, each of which is made alone: a family, and a kind of server.
  'docs/new-device-family.md': 11,
  'docs/new-language.md': 1
}

/** What to do with a block. */
type Action =
  | { kind: 'create' | 'append'; path: string }
  | { kind: 'after' | 'before' | 'replace'; path: string; anchor: string }
  | { kind: 'run'; paths: readonly string[] }

export interface Step {
  /** Line of the block in the document, from 1. */
  line: number
  code: string
  /** Undefined for a block that only shows something or is run by hand. */
  action: Action | undefined
}

/** Text in backticks; with two if it contains one. */
const CODE = '(?:``\\s?(.+?)\\s?``|`([^`]+)`)'
const PATTERNS: readonly [RegExp, (path: string, anchor: string) => Action][] = [
  [new RegExp(`Create ${CODE}:$`), (path) => ({ kind: 'create', path })],
  [new RegExp(`Append to ${CODE}:$`), (path) => ({ kind: 'append', path })],
  [new RegExp(`In ${CODE}, after the line ${CODE}:$`), (path, anchor) => ({ kind: 'after', path, anchor })],
  [new RegExp(`In ${CODE}, before the line ${CODE}:$`), (path, anchor) => ({ kind: 'before', path, anchor })],
  [new RegExp(`In ${CODE}, replace the line ${CODE}:$`), (path, anchor) => ({ kind: 'replace', path, anchor })]
]

/** The action that the paragraph before a block states. */
function actionOf(paragraph: string): Action | undefined {
  for (const [pattern, action] of PATTERNS) {
    const match = pattern.exec(paragraph)
    if (match) return action(match[1] ?? match[2] ?? '', match[3] ?? match[4] ?? '')
  }
  const written = /Run, which writes ((?:`[^`]+`(?:, | and )?)+):$/.exec(paragraph)?.[1]
  return written ? { kind: 'run', paths: [...written.matchAll(/`([^`]+)`/g)].map(([, path]) => path ?? '') } : undefined
}

/**
 * The code blocks of a document, in order.
 * @throws Error for code without words that say what to do with it
 */
export function stepsOf(document: string): Step[] {
  const lines = document.split('\n')
  const steps: Step[] = []
  let paragraph: string[] = []
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    const fence = /^( *)```(\w*)/.exec(line)
    if (!fence) {
      // Lines of one paragraph are joined. An empty line before the block does not end it.
      if (line.trim() !== '') paragraph = lines[index - 1]?.trim() ? [...paragraph, line.trim()] : [line.trim()]
      continue
    }
    const [, indent = '', language = ''] = fence
    const end = lines.indexOf(`${indent}\`\`\``, index + 1)
    if (end < 0) throw new Error(`line ${index + 1}: the block has no end`)
    const code = lines.slice(index + 1, end).map((text) => text.slice(indent.length))
    const action = actionOf(paragraph.join(' '))
    if (!action && !['sh', 'text', ''].includes(language))
      throw new Error(`line ${index + 1}: the words before the block do not say what to do with it`)
    steps.push({ line: index + 1, code: `${code.join('\n')}\n`, action })
    paragraph = []
    index = end
  }
  return steps
}

/** Index of the only line of a text that equals the anchor. */
function indexOfLine(lines: readonly string[], anchor: string): number {
  const found = lines.flatMap((line, index) => (line.trim() === anchor ? [index] : []))
  if (found.length !== 1) throw new Error(`${found.length} lines are: ${anchor}`)
  return found[0] ?? 0
}

/** Follows one step. @returns the paths of the files that it touches */
function follow(root: string, { code, action }: Step): readonly string[] {
  if (!action) return []
  if (action.kind === 'run') {
    execFileSync('bash', ['-ec', code], { cwd: root, encoding: 'utf8', stdio: 'pipe' })
    const missing = action.paths.filter((path) => !existsSync(join(root, path)))
    if (missing.length > 0) throw new Error(`it has not written ${missing.join()}`)
    return action.paths
  }
  const file = join(root, action.path)
  if (action.kind === 'create') {
    if (existsSync(file)) throw new Error(`${action.path} exists`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, code)
  } else if ('anchor' in action) {
    const lines = readFileSync(file, 'utf8').split('\n')
    const at = indexOfLine(lines, action.anchor)
    const start = action.kind === 'after' ? at + 1 : at
    lines.splice(start, action.kind === 'replace' ? 1 : 0, ...code.replace(/\n$/, '').split('\n'))
    writeFileSync(file, lines.join('\n'))
  } else {
    appendFileSync(file, `\n${code}`)
  }
  return [action.path]
}

/**
 * Follows a document in a copy of the project, or of those files that it names.
 * @param runsPrograms whether blocks are run that generate files. They need the whole project.
 * @returns the paths of the files that it touches, each once
 */
export function followDocument(root: string, path: string, runsPrograms: boolean): string[] {
  const touched = stepsOf(readFileSync(join(root, path), 'utf8')).flatMap((step) => {
    if (step.action?.kind === 'run' && !runsPrograms) return step.action.paths
    try {
      return follow(root, step)
    } catch (error) {
      throw new Error(`${path}, line ${step.line}: ${error instanceof Error ? error.message : error}`)
    }
  })
  return [...new Set(touched)]
}

/** The files of the project that a document changes. */
export const changedBy = (document: string): string[] => [
  ...new Set(
    stepsOf(document).flatMap(({ action }) =>
      action && action.kind !== 'run' && existsSync(join(projectRoot, action.path)) ? [action.path] : []
    )
  )
]

/** The paths of the files that a document creates. */
export const createdBy = (document: string): string[] =>
  stepsOf(document).flatMap(({ action }) => (action?.kind === 'create' ? [action.path] : []))

/** Copies files of the project. */
export function copyFiles(paths: readonly string[], to: string): void {
  for (const path of paths) {
    mkdirSync(dirname(join(to, path)), { recursive: true })
    cpSync(join(projectRoot, path), join(to, path))
  }
}

/** Copies the project. The packages and the native programs are links. */
export function copyProject(to: string): void {
  copyFiles(projectFiles(), to)
  symlinkSync(join(projectRoot, 'node_modules'), join(to, 'node_modules'))
  mkdirSync(join(to, 'build'))
  for (const entry of readdirSync(join(projectRoot, 'build'), { withFileTypes: true }))
    if (entry.isFile() || entry.name === 'sanitized')
      symlinkSync(join(projectRoot, 'build', entry.name), join(to, 'build', entry.name))
  // The house rules take the files of the project from git.
  execFileSync('git', ['init', '-q'], { cwd: to })
}
