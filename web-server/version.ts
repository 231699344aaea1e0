// The version of hub and cloud: that of the package, which a release has, too.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const VERSION: string = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')).version
