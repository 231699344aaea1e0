// Starts a node of the cloud. Environment variables, with defaults:
// - PORT (3100), HOST (127.0.0.1), LINK_PORT (8070): ports for browsers and hubs, and the address on which both listen
// - HUB_DOMAIN (localhost): the domain whose subdomains are the consoles of hubs
// - HOSTS: names under which it answers besides its own, separated by commas
// - CERT, KEY: files with the TLS certificate, its issuers, and its private key, in PEM; without them, the node makes a
//   certificate itself. Replaced files are read within a minute
// - NODE_ADDRESS: host:port at which hubs reach this node, for their second link, if the address of the cloud leads to
//   any node
// - PEER_PORT (LINK_PORT + 1), PEER_ADDRESS: the port for other nodes on PostgreSQL, and host:port at which they reach
//   this one, by default at the address that it has in the network of PostgreSQL
// - HTTPS (0): 1 lets the port for browsers speak TLS, too
// - PLAIN_LINKS (0): 1 accepts hubs on other machines without TLS, behind a proxy that ends it
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
  CERT,
  KEY,
  HTTPS = '0',
  PLAIN_LINKS = '0',
  NODE_ADDRESS,
  PEER_PORT = String(Number(LINK_PORT) && Number(LINK_PORT) + 1),
  PEER_ADDRESS,
  ORGANISATION = 'headend'
} = process.env

process.title = 'headend-cloud'

async function start(): Promise<void> {
  if (!ORGANISATION_NAME.test(ORGANISATION))
    throw new Error('ORGANISATION must have 1 to 32 lower-case letters, digits and hyphens, and start with a letter')
  if (!CERT !== !KEY) throw new Error('CERT and KEY are needed together')
  const hosts = HOSTS.split(/[\s,]+/).filter(Boolean)
  const cloud = await createCloud({
    ...readStateOptions(process.env),
    ...{ host: HOST, hosts, hubDomain: HUB_DOMAIN, organisation: ORGANISATION },
    ...{ https: HTTPS === '1', allowsPlainLinks: PLAIN_LINKS === '1', nodeAddress: NODE_ADDRESS },
    peerAddress: PEER_ADDRESS || undefined,
    ...(CERT && KEY && { certificate: { cert: CERT, key: KEY } })
  })
  const listening = cloud.listen(Number(PORT), Number(LINK_PORT), Number(PEER_PORT))
  const end = () => listening.then(() => cloud.close()).finally(() => process.exit(0))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end())
  const ports = await listening
  logger.info('Cloud started', { ...ports, host: HOST, database: cloud.store.kind })
}

start().catch((error: Error) => {
  console.error(`The cloud cannot start: ${error.message}`)
  process.exit(1)
})
