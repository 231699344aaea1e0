// What a release weighs, beside the one before.
import { ENCODINGS, type MeasuredSizes, type Sizes } from '../../pack/budget.ts'
import type { Manifest } from '../../pack/manifest.ts'

export interface PreviousRelease {
  tag: string
  /** Nothing where it does not build with today's packages. */
  sizes?: MeasuredSizes | undefined
}

const number = (value: number) => value.toLocaleString('en')

function difference(is: number, was: number | undefined): string {
  if (was === undefined) return '-'
  return is === was ? '=' : `${is > was ? '+' : '-'}${number(Math.abs(is - was))}`
}

/** @param previous the release before, if there is one */
export function createReleaseNotes(
  { name, version, commit, changed, time }: Manifest,
  sizes: MeasuredSizes,
  previous?: PreviousRelease
): Buffer {
  const rows = Object.entries(sizes.artefacts).flatMap(([artefact, now]) =>
    ENCODINGS.map((encoding) => {
      const is = now[encoding]
      const was = previous?.sizes?.artefacts[artefact]?.[encoding]
      return `| ${artefact} ${encoding} | ${was === undefined ? '-' : number(was)} | ${number(is)} | ${difference(is, was)} |`
    })
  )
  const { tag, sizes: before } = previous ?? {}
  const compared = before
    ? `Compared with ${tag}.`
    : tag
      ? `${tag} before it does not build any more.`
      : 'This clone knows no release before it.'
  return Buffer.from(`# ${name} ${version}

Commit ${commit}${changed ? ' with changes' : ''}, ${time}. ${compared}

| bytes a browser downloads | was | is | change |
|---|---:|---:|---:|
${rows.join('\n')}

${sizes.requests} requests${before ? `, before ${before.requests}` : ''}.
`)
}

/** What notes say of the release before: nobody can check that without building it. */
export function parsePreviousRelease(notes: string): PreviousRelease | undefined {
  const unbuilt = /\. (\S+) before it does not build any more\.$/m.exec(notes)?.[1]
  if (unbuilt) return { tag: unbuilt }
  const tag = /\. Compared with (\S+)\.$/m.exec(notes)?.[1]
  if (!tag) return undefined
  const artefacts: Record<string, Sizes> = {}
  for (const [, artefact = '', encoding, was = ''] of notes.matchAll(/^\| (.+) (raw|gzip|brotli) \| ([\d,]+) \|/gm)) {
    const sizes = (artefacts[artefact] ??= { raw: 0, gzip: 0, brotli: 0 })
    sizes[encoding as keyof Sizes] = Number(was.replaceAll(',', ''))
  }
  return { tag, sizes: { artefacts, requests: Number(/requests, before (\d+)\.$/m.exec(notes)?.[1]) } }
}
