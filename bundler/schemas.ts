// Fails if the console contains schemas: it takes their types alone, because zod is larger than all that the first load
// may be.
import type { Plugin } from 'rollup'

const FORBIDDEN = /\/node_modules\/zod\/|\/contract\/.*\.schema\.ts$/

export function withoutSchemas(): Plugin {
  return {
    name: 'without-schemas',
    // A module that is tree-shaken away must not be imported either. A schema is transformed before its own imports are
    // known, so that the error names the schema, not a part of zod.
    transform(_, id) {
      if (FORBIDDEN.test(id)) this.error(`The console imports ${id}. Import its types with \`import type\`.`)
    }
  }
}
