/** Adds a record. @returns its number */
type Add = (type: string, record: object) => Promise<number>;

/** A branch in a city, and how its members are added. */
export async function branchWithMembers(
  add: Add,
  { city, state_id, country }: { city: number; state_id: number; country: number },
  { branch, department, designation }: { branch: object; department: object; designation: object },
): Promise<{ branch: number; member(empno: string, more?: object): Promise<number> }> {
  const id = await add('branch', {
    name: 'Chennai',
    branch_type: 'branch',
    address1: '1 Anna Salai',
    city,
    state_id,
    country,
    pincode: '600002',
    ...branch,
  });
  const places = {
    branch_id: id,
    department_id: await add('department', department),
    designation_id: await add('designation', { level_no: 3, ...designation }),
  };
  return {
    branch: id,
    member: (empno, more = {}) =>
      add('employee', {
        empno,
        first_name: empno,
        mobile: `+9198400${empno.slice(1)}`,
        date_of_joining: '2024-04-01',
        employment_type: 'permanent',
        ...places,
        ...more,
      }),
  };
}
