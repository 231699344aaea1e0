// Firmware of devices: the files, the devices that one of them is for, and rollouts.
import { useLayoutEffect } from 'react'
import { useInstead } from '../../parts/loaded.tsx'
import { link } from '../../paths.ts'
import { useQuery } from '../../state/location.ts'
import { t } from '../../text/language.ts'
import { Empty } from '../../ui/condition.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useStore } from '../../ui/use-store.ts'
import { Files } from './files.tsx'
import { RolloutDetail } from './rollout.tsx'
import { Rollouts } from './rollouts.tsx'
import { $files, ask } from './store.ts'
import { Targets } from './targets.tsx'
import { TEXT } from './text.ts'
import { UploadCard } from './upload-card.tsx'

export function FirmwareScreen() {
  const query = useQuery()
  const rollouts = query.get('tab') === 'rollouts'
  const rollout = query.get('rollout') ?? ''
  const file = query.get('file') ?? ''
  const sn = query.get('sn') ?? ''
  return (
    <>
      <Tabs
        label={t(TEXT.parts)}
        tabs={[
          { title: t(TEXT.files), to: link('firmware'), current: !rollouts },
          { title: t(TEXT.rollouts), to: link('firmware', { tab: 'rollouts' }), current: rollouts }
        ]}
      />
      <UploadCard />
      {rollouts ? (
        rollout ? (
          <RolloutDetail id={Number(rollout) || 0} key={rollout} />
        ) : (
          <Rollouts />
        )
      ) : file ? (
        <Chosen id={file} sn={sn} />
      ) : (
        <Files sn={sn} />
      )}
    </>
  )
}

/** The devices for a file, once it is known what that is. */
function Chosen({ id, sn }: { id: string; sn: string }) {
  useLayoutEffect(() => ask('files', {}))
  const file = useStore($files).items.find((one) => String(one.id) === id)
  const nothing = (
    <Empty icon="search" title={t(TEXT.noneFound)}>
      <a className="button" href={`#${link('firmware')}`}>
        {t(TEXT.back)}
      </a>
    </Empty>
  )
  return <>{useInstead($files, !file, nothing) ?? (file && <Targets file={file} sn={sn} key={id} />)}</>
}
