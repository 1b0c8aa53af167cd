import type { ProjectDetail } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { Card } from '../../../ui/card.tsx'
import { Detail, DetailList } from '../../../ui/detail-list.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { metadataLabel } from './metadata-label.ts'
import { metadataValue, visibleMetadata } from './metadata-value.ts'

type Metadata = ProjectDetail['metadata']

/** What the hosting engine reports about the site, such as its CMS version. */
export const ProjectMetadata = ({
  metadata,
  loading,
}: {
  metadata: Metadata
  loading: boolean
}) => (
  <Card title={m.projects_metadata()}>
    {loading ? <MetadataSkeleton /> : <MetadataList metadata={metadata} />}
  </Card>
)

const MetadataList = ({ metadata }: { metadata: Metadata }) =>
  metadata.length === 0 ? (
    <p className="text-muted">{m.projects_metadata_empty()}</p>
  ) : (
    <DetailList>
      {visibleMetadata(metadata).map(({ key, value }) => (
        <Detail key={key} label={metadataLabel(key)}>
          {metadataValue(key, value)}
        </Detail>
      ))}
    </DetailList>
  )

const MetadataSkeleton = () => (
  <DetailList>
    {['w-24', 'w-32', 'w-28'].map((width) => (
      <Detail key={width} label={<Skeleton className={width} />}>
        <Skeleton className="w-24" />
      </Detail>
    ))}
  </DetailList>
)
