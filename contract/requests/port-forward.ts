import * as z from 'zod'
import { PORT_MAX } from '../limits.ts'
import { listPortForwards, startPortForward, stopPortForward } from '../port-forward.ts'
import { id, mark, page, port, serial, shape, since } from './shape.ts'

shape(listPortForwards, z.object({ ...page, since, mark }))
shape(
  startPortForward,
  z.object({ sn: serial, 'local-port': z.int().min(0).max(PORT_MAX).optional(), 'remote-port': port })
)
shape(
  stopPortForward,
  z.union([z.object({ id }), z.object({ sn: serial, 'local-port': port, 'remote-port': port.optional() })])
)
