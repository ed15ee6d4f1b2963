import { Navigate } from 'react-router-dom';
import { familyAddress } from './import_job_family.ts';

/** The list of all import jobs, limited to one family. */
export default function AlagarJobsPage() {
  return <Navigate to={familyAddress('alagar')} replace />;
}
