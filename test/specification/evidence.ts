// Judges the evidence of the rows: each has exactly one, the test that it names exists, and so does the entry of the roadmap.
import type { Row, Section } from './rows.ts'

/** Where the evidence is looked up. */
export interface Sources {
  /** Text of a test file by its path below `test/`; undefined if it does not exist. */
  testFile: (path: string) => string | undefined
  roadmap: string
  specification: string
}

/** The titles of the tests in a source; the expressions of a template are written as `{}`. */
export function titlesOf(source: string): string[] {
  const calls = source.matchAll(/^\s*(?:\w*[tT]est\w*)\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`([^`]*)`)/gm)
  return [...calls].map(
    ([, single, double, template = '']) => single ?? double ?? template.replaceAll(/\$\{[^}]*\}/g, '{}')
  )
}

const joinLines = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** The entries under the heading `Next` of the roadmap. */
export function roadmapEntries(roadmap: string): string[] {
  const [, next = ''] = /^## Next\n(.*?)(?=^## |(?![\s\S]))/ms.exec(roadmap) ?? []
  return next
    .split(/^\d+\. /m)
    .slice(1)
    .map(joinLines)
}

function evidenceFault({ check, test, roadmap }: Row, sources: Sources): string | undefined {
  const given = [check, test, roadmap].filter((evidence) => evidence !== undefined).length
  if (given !== 1) return `${given} kinds of evidence`
  if (test) {
    const source = sources.testFile(test.file)
    if (source === undefined) return `no file test/${test.file}`
    return titlesOf(source).includes(test.title) ? undefined : `test/${test.file} has no test '${test.title}'`
  }
  if (roadmap === undefined) return undefined
  return roadmapEntries(sources.roadmap).includes(roadmap) ? undefined : `the roadmap has no entry '${roadmap}'`
}

/** The faults of the rows: missing or stale evidence, empty statements, and statements that a table has twice. */
export function rowFaults(sections: readonly Section[], sources: Sources): string[] {
  const seen = new Set<string>()
  return sections.flatMap(({ number, parts }) =>
    parts.flatMap(({ title, rows }) =>
      rows.flatMap((row) => {
        const key = `${number}. ${title}: ${joinLines(row.statement).toLowerCase()}`
        const faults = [
          joinLines(row.statement) === '' ? 'no statement' : undefined,
          seen.has(key) ? 'a duplicate' : undefined,
          evidenceFault(row, sources)
        ]
        seen.add(key)
        return faults.flatMap((fault) => (fault ? [`${number}. ${title}: ${row.statement}: ${fault}`] : []))
      })
    )
  )
}

/** Headings of the document: `2. Screens` for a section, with the titles of its parts. */
export function documentHeadings(specification: string): Map<string, string[]> {
  const sections = specification.split(/^## /m).slice(1)
  return new Map(
    sections.map((text) => {
      const [heading = ''] = text.split('\n', 1)
      return [heading, [...text.matchAll(/^### (.+)$/gm)].map(([, title = '']) => title)]
    })
  )
}

/** Differences between the headings of the document and the tables, and sections that do not name the file of their table. */
export function documentFaults(sections: readonly Section[], { specification }: Sources): string[] {
  const headings = documentHeadings(specification)
  const expected = new Map(
    sections.map(({ number, title, parts }) => [`${number}. ${title}`, parts.map((each) => each.title)])
  )
  const missing = [...expected].flatMap(([heading, titles]) =>
    titles.filter((title) => !headings.get(heading)?.includes(title)).map((title) => `not in the document: ${title}`)
  )
  const untested = [...headings].flatMap(([heading, titles]) =>
    titles.filter((title) => !expected.get(heading)?.includes(title)).map((title) => `not in the tables: ${title}`)
  )
  const unnamed = sections
    .filter(({ file }) => !specification.includes(`test/specification/${file}`))
    .map(({ file }) => `the document does not name test/specification/${file}`)
  return [...missing, ...untested, ...unnamed]
}
