import { Navigate } from 'react-router-dom';
import { familyAddress } from './import_job_family.ts';

/** The import jobs of one family: the list of all, narrowed. */
export default function AlagarJobsPage() {
  return <Navigate to={familyAddress('alagar')} replace />;
}
