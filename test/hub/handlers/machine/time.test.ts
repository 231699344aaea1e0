import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { READ_ONLY } from '../../../../contract/codes.ts'
import { listLog } from '../../../../contract/log.ts'
import { type SetTimeRequest, setTime } from '../../../../contract/machine/time.ts'
import { admin, hubForEach } from '../../../kit/hub/hub-for-each.ts'

const test = suite('clock of the machine')
hubForEach(test)

test('the log names the changed setting: the time zone, the clock, or the synchronization with its servers', async () => {
  const requests: [request: SetTimeRequest, detail: string][] = [
    [{ zone: 'Asia/Shanghai' }, 'Asia/Shanghai'],
    [{ time: 1_800_000_000_000 }, '2027-01-15T08:00:00.000Z'],
    [{ sync: true, server1: 'ntp.example', server2: '192.0.2.1' }, 'NTP ntp.example 192.0.2.1 #on'],
    [{ sync: true, server1: 'ntp.example', server2: '' }, 'NTP ntp.example #on'],
    [{ sync: true }, 'NTP #on'],
    [{ sync: false, server1: 'ntp.example' }, 'NTP #off']
  ]
  for (const [request, detail] of requests) {
    // The hub does not manage the machine.
    assert.equal((await admin.send(setTime, request)).result, READ_ONLY)
    const [line] = (await admin.send(listLog, { type: 'operation', count: 1 })).list
    assert.deepEqual([line?.event, line?.detail], ['/time/set', detail])
  }
})

test.run()
