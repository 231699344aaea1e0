// Release notes: the size of a release, compared with the previous one.
import { ENCODINGS, type MeasuredSizes, type Sizes } from '../../pack/budget.ts'
import type { Manifest } from '../../pack/manifest.ts'

export interface PreviousRelease {
  tag: string
  /** Undefined when it does not build with the installed packages. */
  sizes?: MeasuredSizes | undefined
}

const formatNumber = (value: number) => value.toLocaleString('en')

function formatDifference(now: number, before: number | undefined): string {
  if (before === undefined) return '-'
  return now === before ? '=' : `${now > before ? '+' : '-'}${formatNumber(Math.abs(now - before))}`
}

/** Creates the release notes. @param previous the previous release, if there is one */
export function createReleaseNotes(
  { name, version, commit, changed, time }: Manifest,
  sizes: MeasuredSizes,
  previous?: PreviousRelease
): Buffer {
  const rows = Object.entries(sizes.artefacts).flatMap(([artefact, sizes]) =>
    ENCODINGS.map((encoding) => {
      const now = sizes[encoding]
      const before = previous?.sizes?.artefacts[artefact]?.[encoding]
      return `| ${artefact} ${encoding} | ${before === undefined ? '-' : formatNumber(before)} | ${formatNumber(now)} | ${formatDifference(now, before)} |`
    })
  )
  const { tag, sizes: before } = previous ?? {}
  const compared = before
    ? `Compared with ${tag}.`
    : tag
      ? `The previous release ${tag} no longer builds.`
      : 'This clone contains no previous release.'
  return Buffer.from(`# ${name} ${version}

Commit ${commit}${changed ? ' with changes' : ''}, ${time}. ${compared}

| bytes that a browser downloads | before | now | change |
|---|---:|---:|---:|
${rows.join('\n')}

${sizes.requests} requests${before ? `, before ${before.requests}` : ''}.
`)
}

/** Reads the previous release from release notes, because verification does not build it again. */
export function parsePreviousRelease(notes: string): PreviousRelease | undefined {
  const unbuilt = /\. The previous release (\S+) no longer builds\.$/m.exec(notes)?.[1]
  if (unbuilt) return { tag: unbuilt }
  const tag = /\. Compared with (\S+)\.$/m.exec(notes)?.[1]
  if (!tag) return undefined
  const artefacts: Record<string, Sizes> = {}
  for (const [, artefact = '', encoding, before = ''] of notes.matchAll(
    /^\| (.+) (raw|gzip|brotli) \| ([\d,]+) \|/gm
  )) {
    artefacts[artefact] ??= { raw: 0, gzip: 0, brotli: 0 }
    const sizes = artefacts[artefact]
    sizes[encoding as keyof Sizes] = Number(before.replaceAll(',', ''))
  }
  return { tag, sizes: { artefacts, requests: Number(/requests, before (\d+)\.$/m.exec(notes)?.[1]) } }
}
