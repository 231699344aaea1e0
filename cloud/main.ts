// Starts a node of the cloud. Environment variables, with defaults:
// - PORT (3100), HOST (127.0.0.1), LINK_PORT (8070): ports for browsers and hubs, and the address on which both listen
// - HUB_DOMAIN (localhost): the domain whose subdomains are the consoles of hubs
// - HOSTS: names under which it answers besides its own, separated by commas
// - DATABASE_URL, CLOUD_DATA, KEY_FILE: where the state is (options.ts)
// - ORGANISATION (headend): the organisation that is created if it does not exist, and that of sign-ins that name none
import { ORGANISATION_NAME } from '../contract/cloud/link.ts'
import { LINK_PORT as DEFAULT_LINK_PORT } from '../contract/limits.ts'
import { logger } from '../process-log/logger.ts'
import { createCloud } from './cloud.ts'
import { readStateOptions } from './options.ts'

const {
  PORT = '3100',
  HOST = '127.0.0.1',
  LINK_PORT = String(DEFAULT_LINK_PORT),
  HOSTS = '',
  HUB_DOMAIN = 'localhost',
  ORGANISATION = 'headend'
} = process.env

process.title = 'headend-cloud'

async function start(): Promise<void> {
  if (!ORGANISATION_NAME.test(ORGANISATION))
    throw new Error('ORGANISATION must have 1 to 32 lower-case letters, digits and hyphens, and start with a letter')
  const hosts = HOSTS.split(/[\s,]+/).filter(Boolean)
  const cloud = await createCloud({
    ...readStateOptions(process.env),
    ...{ host: HOST, hosts, hubDomain: HUB_DOMAIN, organisation: ORGANISATION }
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void cloud.close().finally(() => process.exit(0)))
  const ports = await cloud.listen(Number(PORT), Number(LINK_PORT))
  logger.info('Cloud started', { ...ports, host: HOST, database: cloud.store.kind })
}

start().catch((error: Error) => {
  console.error(`The cloud cannot start: ${error.message}`)
  process.exit(1)
})
