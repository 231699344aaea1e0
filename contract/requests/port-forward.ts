// Request schemas of the calls for port forwarding.
import * as z from 'zod'
import { PORT_MAX } from '../limits.ts'
import { listPortForwards, startPortForward, stopPortForward } from '../port-forward.ts'
import { defineSchema, id, mark, page, port, serial, since } from './schema.ts'

defineSchema(listPortForwards, z.object({ ...page, since, mark }))
defineSchema(
  startPortForward,
  z.object({ sn: serial, 'local-port': z.int().min(0).max(PORT_MAX).optional(), 'remote-port': port })
)
defineSchema(
  stopPortForward,
  z.union([z.object({ id }), z.object({ sn: serial, 'local-port': port, 'remote-port': port.optional() })])
)
