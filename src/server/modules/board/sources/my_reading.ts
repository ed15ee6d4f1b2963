import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { announcements } from '../../../platform/media/media_feed.ts';

/** Announcements and policies for the reader; those that need acceptance come first. */
const myReading: ReportSource = {
  reads: {},
  async rows({ session, screens }) {
    if (session.entityId === null || !screens.has('media_item')) return { rows: [] };
    const items = await announcements(session, session.entityId);
    return {
      rows: items.map(({ title, must_acknowledge: must, acknowledged }) => ({
        title,
        state: must ? (acknowledged ? 'Accepted' : 'To accept') : 'To read',
      })),
      opens: '/media_page',
    };
  },
};

export default myReading;
