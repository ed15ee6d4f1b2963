select i.id, i.id as instance_id, i.branch_id, i.owner_id, i.people_ids, i.category, i.due_on, i.next_due_on,
  i.next_due_on - {:today} as days_left, i.progress, i.tasks_open, i.waiting_approval, i.score, i.state, i.colour
from {chk_instance} i
