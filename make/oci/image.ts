// What an image of Headend consists of and how its containers run, for the image that is built here and for the
// Containerfile.
import { FILES_PORT, LINK_PORT, RTMP_PORT, SRT_PORT } from '../../contract/limits.ts'
import { packageNames } from '../../firmware-pack/debian-package.ts'

const LAUNCH = '/usr/lib/headend/launch'
const DATA = '/var/lib/headend'
/** User and group. They are numbers, because orchestrators check that a user is not root. */
const USER = '10001'
const PORT = 3000
const HTTPS_PORT = 3443

/** As `hub/main.ts` and `engine/main.ts` read it. A container does not manage its machine. */
const ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOST: '::',
  PORT: String(PORT),
  HTTPS_PORT: String(HTTPS_PORT),
  DATA,
  MACHINE: 'view',
  SETUP_CODE: '1'
}

const PORTS: readonly string[] = [
  ...[PORT, HTTPS_PORT, LINK_PORT, FILES_PORT, RTMP_PORT].map((port) => `${port}/tcp`),
  `${SRT_PORT}/udp`
]

/** tini is the first process: it ends those that lost their parent. */
const ENTRYPOINT: readonly string[] = ['/usr/bin/tini', '--', LAUNCH, 'supervisor/main.ts']

const PROBE =
  "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((answer) => process.exit(answer.ok ? 0 : 1))"
const HEALTH_CHECK = { command: [LAUNCH, '-e', PROBE], interval: 30, timeout: 10, startPeriod: 60, retries: 3 }

/** In place of the service manager, which has no work in a container, and the font that the package recommends. */
const IMAGE_PACKAGES: readonly string[] = ['fonts-noto-cjk', 'tini']
const NOT_IN_IMAGE: ReadonlySet<string> = new Set(['systemd'])

/**
 * Packages of Debian in the image.
 * @param depends the field of the Debian package
 */
export function imagePackages(depends: string): string[] {
  return [...packageNames(depends).filter((name) => !NOT_IN_IMAGE.has(name)), ...IMAGE_PACKAGES].sort()
}

/** Commands of a shell that prepare the root, after its packages are installed. */
export const SETUP: readonly string[] = [
  `groupadd --gid ${USER} headend`,
  `useradd --uid ${USER} --gid ${USER} --home-dir ${DATA} --no-create-home --shell /usr/sbin/nologin headend`,
  `install -d -m 700 -o ${USER} -g ${USER} ${DATA}`
]

/** What identifies an image. */
export interface ImageFacts {
  /** Debian's name, which is also that of OCI. */
  architecture: string
  version: string
  commit: string
  /** ISO 8601. */
  created: string
}

/** Files of documentation, which nobody reads in a container, without the licences. */
export const DPKG_OPTIONS: readonly string[] = [
  'path-exclude=/usr/share/doc/*',
  'path-include=/usr/share/doc/*/copyright',
  'path-exclude=/usr/share/man/*'
]

const labels = ({ version, commit, created }: ImageFacts) => ({
  'org.opencontainers.image.title': 'Headend',
  'org.opencontainers.image.version': version,
  'org.opencontainers.image.revision': commit,
  'org.opencontainers.image.created': created,
  'org.opencontainers.image.licenses': 'MIT'
})

const nanoseconds = (seconds: number) => seconds * 1e9

/**
 * The configuration of an image in the format of OCI. `Healthcheck` is an extension of Docker, which others ignore.
 * @param layers the hashes of their archives before compression, with what made each
 */
export function imageConfig(facts: ImageFacts, layers: readonly { diffId: string; origin: string }[]): object {
  const { command, interval, timeout, startPeriod, retries } = HEALTH_CHECK
  return {
    created: facts.created,
    architecture: facts.architecture,
    os: 'linux',
    config: {
      User: `${USER}:${USER}`,
      ExposedPorts: Object.fromEntries(PORTS.map((port) => [port, {}])),
      Env: Object.entries(ENVIRONMENT).map(([name, value]) => `${name}=${value}`),
      Entrypoint: ENTRYPOINT,
      Volumes: { [DATA]: {} },
      Labels: labels(facts),
      Healthcheck: {
        Test: ['CMD', ...command],
        Interval: nanoseconds(interval),
        Timeout: nanoseconds(timeout),
        StartPeriod: nanoseconds(startPeriod),
        Retries: retries
      }
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    history: layers.map(({ origin }) => ({ created: facts.created, created_by: origin }))
  }
}

/**
 * A Containerfile for builders that can fetch Debian's image. Its context has the files of Headend in `root/`.
 * @param release name of the release of Debian
 */
export function containerfile(facts: ImageFacts, packages: readonly string[], release: string): string {
  const { command, interval, timeout, startPeriod, retries } = HEALTH_CHECK
  const check = `--interval=${interval}s --timeout=${timeout}s --start-period=${startPeriod}s --retries=${retries}`
  const pairs = (record: Readonly<Record<string, string>>) =>
    Object.entries(record).map(([name, value]) => `${name}="${value}"`)
  const install = `apt-get install -y --no-install-recommends ${packages.join(' ')}`
  const commands = ['apt-get update', install, 'rm -rf /var/lib/apt/lists/*', ...SETUP]
  return `${[
    `FROM debian:${release}-slim`,
    `RUN ${commands.join(' \\\n && ')}`,
    'COPY root/ /',
    `ENV ${pairs(ENVIRONMENT).join(' \\\n    ')}`,
    `LABEL ${pairs(labels(facts)).join(' \\\n      ')}`,
    `EXPOSE ${PORTS.join(' ')}`,
    `VOLUME ${DATA}`,
    `USER ${USER}:${USER}`,
    `HEALTHCHECK ${check} CMD ${JSON.stringify(command)}`,
    `ENTRYPOINT ${JSON.stringify(ENTRYPOINT)}`
  ].join('\n')}\n`
}
