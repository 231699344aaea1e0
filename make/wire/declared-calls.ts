// All calls and schemas of a hub that the modules of the contract declare. Those of the cloud are in `contract/cloud/`.
import { globSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as z from 'zod'
import type { Call } from '../../contract/call.ts'

const root = resolve(import.meta.dirname, '../..')

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const isCall = (value: unknown): value is Call =>
  isObject(value) && 'method' in value && 'path' in value && 'access' in value
const isSchema = (value: unknown): value is z.ZodType => isObject(value) && '_zod' in value

const paths = globSync('contract/**/*.ts', { cwd: root, exclude: ['contract/cloud/**'] }).sort()
const EXPORTS = await Promise.all(
  paths.map(async (path) => {
    const exports = (await import(pathToFileURL(join(root, path)).href)) as Record<string, unknown>
    return Object.entries(exports).map(([name, value]) => ({ path, name, value }))
  })
).then((modules) => modules.flat())

/** All calls, in the order of the files that declare them. */
export const listDeclaredCalls = (): Call[] => EXPORTS.map(({ value }) => value).filter(isCall)

/** All exported schemas with their names. */
export const listSchemas = (): { path: string; name: string; schema: z.ZodType }[] =>
  EXPORTS.flatMap(({ path, name, value }) => (isSchema(value) ? [{ path, name, schema: value }] : []))

/** Method and path of a call, as in the table of schemas. */
export const nameOfCall = ({ method, path }: Pick<Call, 'method' | 'path'>) => `${method} ${path}`
