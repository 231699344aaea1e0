// `make wire`: writes the generated parts of docs/wire.md, and docs/rights.md, from the declarations of the contract.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { generateWire } from './wire/document.ts'
import { generateRights } from './wire/rights.ts'

/** Writes a document if it has changed. @param generate the new text from the present one */
function update(name: string, generate: (before: string) => string): void {
  const path = resolve(import.meta.dirname, '../docs', name)
  const before = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const after = generate(before)
  if (after !== before) writeFileSync(path, after)
  console.log(after === before ? `docs/${name} is up to date.` : `docs/${name} is written.`)
}

update('wire.md', generateWire)
update('rights.md', generateRights)
