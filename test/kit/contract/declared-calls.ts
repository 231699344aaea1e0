// All calls that the modules of the contract declare.
import { globSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Call } from '../../../contract/call.ts'

const root = resolve(import.meta.dirname, '../../..')

const isCall = (value: unknown): value is Call =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value

const paths = globSync('contract/**/*.ts', { cwd: root }).sort()
const modules = await Promise.all(
  paths.map((path) => import(pathToFileURL(join(root, path)).href) as Promise<Record<string, unknown>>)
)
const CALLS = modules.flatMap((exports) => Object.values(exports).filter(isCall))

/** All calls, in the order of the files that declare them. */
export const listDeclaredCalls = (): Call[] => [...CALLS]

/** Method and path of a call, as in the table of schemas. */
export const nameOfCall = ({ method, path }: Pick<Call, 'method' | 'path'>) => `${method} ${path}`
