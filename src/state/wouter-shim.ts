// Replaces the wouter modules that the console does not use (`bundler/sources.ts`): the location in the path of the
// URL, and path patterns. The exports have the names that wouter imports.
import { useHashLocation, useHashQuery } from './location.ts'

export { useHashLocation as useBrowserLocation, useHashQuery as sanitizeSearch, useHashQuery as useSearch }
export const parse = undefined
export const absolutePath = (path: string) => path
export const relativePath = (_base: string, path: string) => path
