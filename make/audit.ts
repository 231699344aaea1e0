// `make audit`: looks up known vulnerabilities of the packages in the lockfile. Ends with 0 if none is known, 1 if
// there are some, and 3 if the registry did not answer, so that nothing is known.
import { spawnSync } from 'node:child_process'

const EXIT_VULNERABLE = 1
const EXIT_NO_ANSWER = 3

interface Report {
  metadata?: { vulnerabilities?: Record<string, number>; dependencies?: { total?: number } }
  vulnerabilities?: Record<
    string,
    { name: string; severity: string; range: string; via: (string | { title: string; url: string })[] }
  >
  message?: string
}

/** The report of npm; undefined if it printed none. */
function readReport(text: string): Report | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const { stdout, stderr, error } = spawnSync('npm', ['audit', '--package-lock-only', '--json'], { encoding: 'utf8' })
const report = readReport(stdout ?? '')
const counts = report?.metadata?.vulnerabilities
if (!counts) {
  const [reason = ''] = (report?.message ?? error?.message ?? stderr).split('\n')
  console.error(`The registry did not answer, so nothing is known about vulnerabilities: ${reason}`)
  process.exit(EXIT_NO_ANSWER)
}
for (const { name, severity, range, via } of Object.values(report.vulnerabilities ?? {})) {
  console.log(`${severity}: ${name} ${range}`)
  for (const advisory of via) if (typeof advisory !== 'string') console.log(`  ${advisory.title} ${advisory.url}`)
}
const total = Object.entries(counts).reduce((sum, [name, count]) => (name === 'total' ? sum : sum + count), 0)
console.log(
  total === 0 ? 'No known vulnerabilities in the packages of the lockfile.' : `${total} packages with vulnerabilities.`
)
process.exit(total === 0 ? 0 : EXIT_VULNERABLE)
