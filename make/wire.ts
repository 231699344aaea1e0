// `make wire`: writes the generated parts of docs/wire.md from the declarations of the contract.
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { generateWire } from './wire/document.ts'

const PATH = resolve(import.meta.dirname, '../docs/wire.md')

const before = readFileSync(PATH, 'utf8')
const after = generateWire(before)
if (after !== before) writeFileSync(PATH, after)
console.log(after === before ? 'docs/wire.md is up to date.' : 'docs/wire.md is written.')
